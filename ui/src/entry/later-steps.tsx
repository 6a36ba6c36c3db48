/**
 * The steps after the form, in one file, so that whoever reaches the payment has the code of all later steps. The notices
 * are for people who return.
 */
export { PaymentOutcome } from "./payment/payment-outcome";
export { PaymentStep } from "./payment/payment-step";
export { EnteredNotice, TooLateNotice, UnpaidNotice } from "./payment/unpaid-notice";
export { SuccessStep } from "./success/success-step";

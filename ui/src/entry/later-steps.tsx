/**
 * What comes after the form, in one file: somebody who has come to the payment has the code of all that follows. The
 * notices are for those who come back.
 */
export { PaymentOutcome } from "./payment/payment-outcome";
export { PaymentStep } from "./payment/payment-step";
export { EnteredNotice, TooLateNotice, UnpaidNotice } from "./payment/unpaid-notice";
export { SuccessStep } from "./success/success-step";

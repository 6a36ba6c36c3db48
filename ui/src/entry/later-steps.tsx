/** The steps after the form, in one file: somebody who has come to the payment has the code of all that follows. */
export { PaymentOutcome } from "./payment/payment-outcome";
export { PaymentStep } from "./payment/payment-step";
export { SuccessStep } from "./success/success-step";

/** The props of a payment form, for every payment provider. */
export interface PaymentFormProps {
  clientSecret: string;
  amountCents: number;
  /** The address to return to from a payment method that leaves the site. */
  returnUrl: string;
  /** The entrant, to prefill the provider's fields. */
  person: { name: string; email: string; phone: string };
  publishableKey: string;
  busy: boolean;
  /** Runs one task at a time. */
  run: (task: () => Promise<unknown>) => Promise<void>;
  /** Whether the payment still has the amount and state shown here. If not, this shows the reason itself. */
  mayPay: () => Promise<boolean>;
  /** Called just before the payment is sent to the provider. */
  onPaying: () => void;
  /** The provider has accepted the payment or is processing it. */
  onConfirmed: (paymentId: string) => Promise<void>;
  onDeclined: (message: string) => void;
  /** The provider's response was lost, so the outcome of the payment is unknown. */
  onUnknown: () => void;
}

/** The payment's id, which is the first part of its client secret. */
export function paymentIdOf(clientSecret: string): string {
  return clientSecret.replace(/_secret_.*$/, "");
}

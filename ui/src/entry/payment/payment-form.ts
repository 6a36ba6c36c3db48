/** What a form that takes a payment is given, whoever takes the money. */
export interface PaymentFormProps {
  clientSecret: string;
  amountCents: number;
  /** Where a way to pay that leaves the site comes back to. */
  returnUrl: string;
  /** Known from the entry, so that nobody types it twice. */
  person: { name: string; email: string; phone: string };
  publishableKey: string;
  busy: boolean;
  /** Runs one task at a time. */
  run: (task: () => Promise<unknown>) => Promise<void>;
  /** Whether what the server holds is still what is shown here; what is said of the rest is said where this is asked. */
  mayPay: () => Promise<boolean>;
  /** Told just before money may move. */
  onPaying: () => void;
  /** The provider has taken the payment, or is about to. */
  onConfirmed: (paymentId: string) => Promise<void>;
  onDeclined: (message: string) => void;
  /** The answer was lost, and nobody here can say what became of the payment. */
  onUnknown: () => void;
}

/** A client secret is its payment's id with a secret behind it. */
export function paymentIdOf(clientSecret: string): string {
  return clientSecret.replace(/_secret_.*$/, "");
}

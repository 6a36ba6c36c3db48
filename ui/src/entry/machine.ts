import type { PaymentStatus } from "./api";
import type { PaidEntry } from "./entered";
import type { Quote } from "./form/pricing";
import { standingOf } from "./payment/payment-standing";

/** A payment that is waiting to be made. */
export interface Due {
  clientSecret: string;
  amountCents: number;
  person: { name: string; email: string; phone: string };
  /** What is bought, as labels. */
  categories: string[];
  /** What the amount is made of, for a form that was just sent; otherwise `status` has it. */
  quote?: { lines: Quote; taxLocation: string; location: string };
  /** How the payment stood when somebody came back to it. */
  status?: PaymentStatus;
  /** What is saved with it; without it, the entry that the server keeps is asked after. */
  entry?: Record<string, unknown>;
  /** The provider's id of a payment that was made, so that only saving is left to do. */
  paidAs?: string;
  /** Why the server did not save it. */
  refused?: string;
}

/** Why the form was refused; with the payment to ask about where one was begun and cannot be begun again. */
export interface Refusal {
  reason: string;
  clientSecret?: string;
}

export type Step =
  | { name: "form"; takesFocus: boolean }
  | { name: "payment"; due: Due }
  /** The server is asked about the payment. Without a secret the page's address says that there was one, and nobody knows which. */
  | { name: "outcome"; clientSecret: string | undefined }
  | { name: "success"; paid: PaidEntry };

export interface EntryState {
  step: Step;
  /** The form is being sent, or money may be moving. */
  busy: boolean;
  /** A link brought a category along. */
  linked: boolean;
  /** A payment that this browser began before this page was loaded. */
  begun?: string;
  /** Whose entry was paid for in this browser before. */
  entered?: string;
  /** That payment, where it is still to be made. */
  unpaid?: PaymentStatus;
  /** Why the last try to send the form failed. */
  refused?: Refusal;
}

export type EntryEvent =
  /** The page was opened: with a category in its link, and after a payment that this browser began. */
  | { type: "opened"; linked: boolean; begun: string | undefined; entered?: string }
  /** The page was opened by the provider, after a payment. */
  | { type: "returned"; clientSecret: string | undefined }
  /** The server said what became of the payment that was begun before. */
  | { type: "statusReceived"; status: PaymentStatus }
  | { type: "formSent" }
  | { type: "formAccepted"; due: Due }
  | { type: "formRefused"; refusal?: Refusal }
  | { type: "paymentStarted" }
  | { type: "paymentEnded" }
  /** The payment was made, and its entry could not be saved. */
  | { type: "savingFailed"; due: Due; paidAs: string | undefined; refused: string | undefined }
  /** The entry is paid. */
  | { type: "registered"; paid: PaidEntry }
  /** A payment is to be made, or made again, without the form. */
  | { type: "paymentChosen"; due: Due }
  /** Somebody wants to know what became of a payment, or nobody can tell. */
  | { type: "outcomeAsked"; clientSecret: string | undefined }
  | { type: "formChosen" }
  /** The browser's own button was pressed on the payment. */
  | { type: "browserBack" };

export const initialState: EntryState = { step: { name: "form", takesFocus: false }, busy: false, linked: false };

/** The life of one entry, from the empty form to the paid registration. An event that means nothing in a state changes nothing. */
export function transition(state: EntryState, event: EntryEvent): EntryState {
  const at = state.step.name;
  switch (event.type) {
    case "opened":
      return at === "form" ? { ...state, linked: event.linked, begun: event.begun, entered: event.entered } : state;
    case "statusReceived":
      return at === "form" ? withStatus(state, event.status) : state;
    case "formSent":
      return at === "form" ? { ...state, busy: true, refused: undefined } : state;
    case "formAccepted":
      return at === "form" ? { ...state, busy: false, step: { name: "payment", due: event.due } } : state;
    case "formRefused":
      return at === "form" ? { ...state, busy: false, refused: event.refusal } : state;
    case "paymentStarted":
      return at === "payment" ? { ...state, busy: true } : state;
    case "paymentEnded":
      return { ...state, busy: false };
    case "savingFailed":
      return at === "payment" ? { ...state, step: { name: "payment", due: { ...event.due, paidAs: event.paidAs, refused: event.refused } } } : state;
    case "registered":
      return { ...state, busy: false, step: { name: "success", paid: event.paid } };
    case "paymentChosen":
      return { ...state, busy: false, step: { name: "payment", due: event.due } };
    case "returned":
    case "outcomeAsked":
      return { ...state, busy: false, step: { name: "outcome", clientSecret: event.clientSecret } };
    case "browserBack":
      // While money may be moving it leads nowhere: what was changed in the form now would be charged.
      return at === "payment" && !state.busy ? transition(state, { type: "formChosen" }) : state;
    case "formChosen":
      return { ...state, step: { name: "form", takesFocus: true } };
  }
}

/** What is known of the earlier payment decides whether the form is the right place. */
function withStatus(state: EntryState, status: PaymentStatus): EntryState {
  switch (standingOf(status)) {
    case "registered":
      // "registered" follows, with what the last step shows.
      return state;
    case "cancelled":
      return { ...state, begun: undefined };
    case "unpaid":
      return status.entryId === null ? state : { ...state, unpaid: status };
    default:
      return { ...state, step: { name: "outcome", clientSecret: state.begun } };
  }
}

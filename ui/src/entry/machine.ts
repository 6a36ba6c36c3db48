import type { Values } from "../forms/rules/rules";
import type { PaymentStatus } from "./api";
import type { PaidEntry } from "./entry-labels";
import { paymentResultOf } from "./payment/use-entry-payment";
import type { Quote } from "../lib/answer-types";

/** A payment that is waiting to be made. */
export interface Due {
  clientSecret: string;
  amountCents: number;
  person: { name: string; email: string; phone: string };
  /** What is bought, as labels. */
  categories: string[];
  /** The fee breakdown, if the form was just sent; otherwise it is in `status`. */
  quote?: { lines: Quote; taxLocation: string; location: string };
  /** The payment's status, if the person returned to it. */
  status?: PaymentStatus;
  /** The entry to save after the payment; absent if the server already has it. */
  entry?: Values;
  /** The provider's id of a payment that was made, so that only saving is left to do. */
  paidAs?: string;
  /** Why the server did not save it. */
  refused?: string;
}

/** Why the form was refused. `clientSecret` is set if an earlier payment must be checked first. */
export interface Refusal {
  reason: string;
  clientSecret?: string;
}

export type Step =
  | { name: "form"; takesFocus: boolean }
  | { name: "payment"; due: Due }
  /** Asks the server for the payment's outcome. Without a secret, only the address says that there was a payment. */
  | { name: "status"; clientSecret: string | undefined }
  | { name: "success"; paid: PaidEntry };

export interface EntryState {
  step: Step;
  /** The form is being sent, or money may be moving. */
  busy: boolean;
  /** The link to the page named a category. */
  linked: boolean;
  /** The client secret of a payment that this browser started before the page was loaded. */
  begun?: string;
  /** The email address of an entry that was paid in this browser before. */
  entered?: string;
  /** The status of `begun`, if it is still unpaid. */
  unpaid?: PaymentStatus;
  /** Why the last attempt to send the form failed. */
  refused?: Refusal;
}

export type EntryEvent =
  /** The page was opened: with a category in its link, and after a payment that this browser began. */
  | { type: "opened"; linked: boolean; begun: string | undefined; entered?: string }
  /** The page was opened by the provider, after a payment. */
  | { type: "returned"; clientSecret: string | undefined }
  /** The server returned the status of the payment started before. */
  | { type: "statusReceived"; status: PaymentStatus }
  | { type: "formSent" }
  | { type: "formAccepted"; due: Due }
  | { type: "formRefused"; refusal?: Refusal }
  | { type: "paymentStarted" }
  | { type: "paymentEnded" }
  /** The payment succeeded, but its entry could not be saved. */
  | { type: "savingFailed"; due: Due; paidAs: string | undefined; refused: string | undefined }
  /** The entry is paid. */
  | { type: "registered"; paid: PaidEntry }
  /** The person continues or retries a payment without the form. */
  | { type: "paymentChosen"; due: Due }
  /** The outcome of a payment is unknown, or the person asks for it. */
  | { type: "statusAsked"; clientSecret: string | undefined }
  | { type: "formChosen" }
  /** The browser's back button was pressed on the payment step. */
  | { type: "browserBack" };

export const initialState: EntryState = { step: { name: "form", takesFocus: false }, busy: false, linked: false };

/** The state machine of one entry, from the empty form to the paid registration. Events that do not apply to the current state are ignored. */
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
    case "statusAsked":
      return { ...state, busy: false, step: { name: "status", clientSecret: event.clientSecret } };
    case "browserBack":
      // Ignored while a payment may be in progress: it would be charged for what the form had before the change.
      return at === "payment" && !state.busy ? transition(state, { type: "formChosen" }) : state;
    case "formChosen":
      return { ...state, step: { name: "form", takesFocus: true } };
  }
}

/** The status of the earlier payment decides whether the form is shown. */
function withStatus(state: EntryState, status: PaymentStatus): EntryState {
  switch (paymentResultOf(status)) {
    case "registered":
      // "registered" follows, with what the last step shows.
      return state;
    case "cancelled":
      return { ...state, begun: undefined };
    case "unpaid":
      return status.entryId === null ? state : { ...state, unpaid: status };
    default:
      return { ...state, step: { name: "status", clientSecret: state.begun } };
  }
}

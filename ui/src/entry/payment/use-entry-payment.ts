import { useReducer, useRef } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useLocation } from "wouter";
import { versionsOf } from "../../forms/form-place";
import type { Values } from "../../forms/rules/rules";
import { completedValues } from "../../forms/rules/values";
import { honeypotName } from "../../forms/submit/honeypot";
import { failureOf, showAtFields, secondsSpent } from "../../forms/submit/use-submission";
import { clearToast, toast, notifyRateLimited } from "../../kit/toast-store";
import { ApiError, detailOf, errorsOf } from "../../lib/api-error";
import { askPaymentStatus, createPaymentIntent, saveEntry, type PaymentStatus, type StoredEntry } from "../api";
import type { EntryData } from "../entry-data.server";
import { enteredLabels, paidEntryOf, type PaidEntry } from "../entry-labels";
import { quoteFor } from "../form/pricing";
import { initialState, transition, type Due, type EntryEvent } from "../machine";
import { attemptKey, forgetAttempt, forgetSent, isOwnPayment, lastShown, loadAttempt, noteShown, noteSent } from "../storage/entry-attempt";
import { invitationOfEntry } from "../storage/use-opened-with";
import { notePaid } from "../storage/own-payments";

interface Setting {
  data: EntryData;
  methods: UseFormReturn<Values>;
  draft: { save: () => void; close: () => void };
}

const kind = "competition-entries";

/** The state of one entry, and the functions that change it: each calls the server, updates the browser's storage and shows messages. */
export function useEntryPayment({ data, methods, draft }: Setting) {
  const [state, change] = useReducer(transition, initialState);
  const [path, navigate] = useLocation();
  const running = useRef<object>(undefined);
  const { form } = data;

  const dispatch = (event: EntryEvent): void => {
    // The bank's page replaced this one, and the visitor has come back: the interrupted task will never end.
    if (event.type === "statusAsked") running.current = undefined;
    change(event);
  };

  /** Runs one task at a time; another press meanwhile does nothing. */
  const run = async (task: () => Promise<unknown>, started: EntryEvent, ended?: EntryEvent): Promise<void> => {
    if (running.current) return;
    const mine = {};
    running.current = mine;
    dispatch(started);
    try {
      await task();
    } finally {
      if (running.current === mine) {
        running.current = undefined;
        if (ended) dispatch(ended);
      }
    }
  };
  const runPayment = (task: () => Promise<unknown>) => run(task, { type: "paymentStarted" }, { type: "paymentEnded" });

  /** Stores the entry as pending and goes on to its payment. */
  const proceed = async (values: Values): Promise<void> => {
    const quote = quoteFor(data, values);
    if (!quote) return;
    await run(async () => {
      clearToast();
      draft.save();
      const entry = {
        ...completedValues(form, values),
        agreedTo: versionsOf(data.documents),
        [honeypotName]: methods.getValues(honeypotName),
        secondsSpent: secondsSpent(),
        ...invitationOfEntry(),
      };
      const { primaryCategory, subCategory, additionalCategories, taxLocation } = values;
      const request = { amount: quote.total, competitionData: { primaryCategory, subCategory, additionalCategories, taxLocation }, entry };
      try {
        const clientSecret = await createPaymentIntent(request, attemptKey(), notifyRateLimited);
        noteSent(clientSecret);
        const person = { name: String(values.name), email: String(values.email), phone: String(values.phone) };
        const due = { clientSecret, amountCents: quote.total, person, categories: enteredLabels(data, values), entry, quote: { lines: quote, taxLocation: String(taxLocation), location: String(values.location ?? "") } };
        dispatch({ type: "formAccepted", due });
      } catch (error) {
        showAtFields(form, methods, error);
        showRefusedIntent(error);
      }
    }, { type: "formSent" });
  };

  /** Shows why the payment could not be started. The form stays, and if a payment was made already, a button leads to it. */
  const showRefusedIntent = (error: unknown) => {
    const clientSecret = isConflict(error) ? loadAttempt().clientSecret : undefined;
    // The entry is paid already, by a payment that this tab does not know. The next attempt is another entry. A complimentary
    // entry keeps its attempt, so that nobody pays for another one by mistake.
    if (isConflict(error) && !clientSecret && error.problem.code !== "complimentary") forgetAttempt();
    const price = errorsOf(error).amount;
    const priceWords = price && `${price}. Please reload the page to go on at this price.`;
    const message = priceWords ?? detailOf(error) ?? "Unable to process payment. Please try again.";
    toast({ title: "Error", message, tone: "destructive" });
    dispatch({ type: "formRefused", refusal: { reason: error instanceof ApiError ? message : "There is no connection to our server. Please try again.", clientSecret } });
  };

  const succeed = (clientSecret: string, paid: PaidEntry): void => {
    const shown = lastShown();
    if (!shown?.paid || shown.clientSecret !== clientSecret) {
      toast(
        { title: "Payment Successful", message: "Registration completed successfully!" },
        { title: "Registration Successful!", message: "Thank you for entering. You will receive a confirmation email shortly." },
      );
    }
    notePaid(clientSecret);
    forgetSent(clientSecret);
    if (isOwnPayment(clientSecret, String(methods.getValues("email") ?? ""))) {
      draft.close();
      forgetAttempt();
    }
    noteShown({ clientSecret, paid: true });
    navigate(`${path}?success=true`, { replace: true });
    dispatch({ type: "registered", paid });
  };

  /** Saves the paid entry. A failure to save never asks for a second payment. */
  const settle = async (due: Due, paymentId: string): Promise<void> => {
    try {
      const { isPaid, paid } = due.entry ? paidBySaving(due, await saveEntry(due.entry, due.amountCents, paymentId, notifyRateLimited)) : paidByNow(data, await askPaymentStatus(due.clientSecret));
      if (isPaid) succeed(due.clientSecret, paid);
      else dispatch({ type: "statusAsked", clientSecret: due.clientSecret });
    } catch (error) {
      const failure = failureOf(kind, error);
      toast({ ...failure, tone: "destructive" });
      // A conflict means that the provider reports no payment, so it can be paid again. Other errors concern only saving.
      const paidAs = isConflict(error) ? undefined : paymentId;
      dispatch({ type: "savingFailed", due, paidAs, refused: isRefusal(error) ? failure.message : undefined });
    }
  };

  return { state, dispatch, runPayment, proceed, settle, succeed };
}

function paidBySaving({ person, categories }: Due, { id, paymentStatus, paymentAmount }: StoredEntry) {
  return { isPaid: paymentStatus === "paid", paid: { cents: paymentAmount, id, email: person.email, categories } };
}

function paidByNow(data: EntryData, status: PaymentStatus) {
  return { isPaid: paymentResultOf(status) === "registered", paid: paidEntryOf(data, status) };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 409 || error.status === 422);
}

function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409;
}

/** The state of a payment, as the visitor is told. */
type PaymentResult =
  /** The entry is paid. This is the only success. */
  | "registered"
  | "partially_refunded"
  | "refunded"
  | "disputed"
  /** Money has arrived that is not assigned to this entry, or not yet; an organiser looks into it. */
  | "held"
  | "processing"
  | "unpaid"
  | "cancelled"
  /** The organizer has let the entry take part without a payment. */
  | "complimentary";

/** A payment alone does not register anybody: the entry's own payment status decides. */
export function paymentResultOf({ state, paymentStatus }: Pick<PaymentStatus, "state" | "paymentStatus">): PaymentResult {
  if (paymentStatus === "complimentary" && state !== "held") return paymentStatus;
  if (state !== "paid") return state;
  switch (paymentStatus) {
    case "paid":
      return "registered";
    case "partially_refunded":
    case "refunded":
    case "disputed":
      return paymentStatus;
    default:
      return "held";
  }
}

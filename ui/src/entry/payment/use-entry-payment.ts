import { useCallback, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { ApiError, detailOf } from "../../lib/api-error";
import { askPaymentStatus, createPaymentIntent, saveEntry, type PaymentStatus, type StoredEntry } from "../api";
import { formOf } from "../../forms/rules/form-rules";
import { honeypotName } from "../../forms/submit/honeypot";
import { versionsOf } from "../../forms/legal-document";
import { failureOf } from "../../forms/submit/outcome";
import { showAtFields } from "../../forms/submit/refusal";
import type { Values } from "../../forms/rules/rules";
import { invitationOfEntry } from "../storage/invitation";
import { secondsSpent } from "../../forms/submit/seconds-spent";
import { completedValues } from "../../forms/rules/values";
import { clearToast, toast } from "../../kit/toast-store";
import { tellOfTheTurn } from "../../kit/turn";
import { useBusy } from "../../kit/use-busy";
import type { EntryData } from "../entry-data.server";
import { enteredLabels, paidOf, type PaidEntry } from "../entered";
import { fillKey, forgetFill, forgetWritten, isOwnPayment, lastShown, loadFill, noteShown, noteWritten } from "../storage/entry-fill";
import { quoteFor } from "../form/entry-quote";
import { notePaid } from "../storage/own-payments";
import { standingOf } from "./payment-standing";
import type { Due } from "./payment-step";

export type Step =
  | { name: "form"; takesFocus?: boolean }
  | { name: "payment"; due: Due }
  /** It is asked what became of the payment. */
  | { name: "outcome"; clientSecret: string | undefined }
  | { name: "success"; paid: PaidEntry };

interface Setting {
  data: EntryData;
  methods: UseFormReturn<Values>;
  draft: { save: () => void; close: () => void };
}

const kind = "competition-entries";
const form = formOf(kind);

/** Why the form was refused; with the payment to ask about where one was begun and cannot be begun again. */
export interface Refusal {
  reason: string;
  clientSecret?: string;
}

/** The steps of an entry and what leads from one to the next. */
export function useEntryPayment({ data, methods, draft }: Setting) {
  const [step, setStep] = useState<Step>({ name: "form" });
  const [refused, setRefused] = useState<Refusal>();
  const { busy, run } = useBusy();
  const closeDraft = useRef(draft.close);
  const { getValues } = methods;

  /** Stores the entry as pending and goes on to its payment. */
  const proceed = (values: Values): Promise<void> =>
    run(async () => {
      const quote = quoteFor(data, values);
      if (!quote) return;
      clearToast();
      setRefused(undefined);
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
        const clientSecret = await createPaymentIntent(request, fillKey(String(values.email)), tellOfTheTurn);
        noteWritten(clientSecret);
        const person = { name: String(values.name), email: String(values.email), phone: String(values.phone) };
        setStep({ name: "payment", due: { clientSecret, amountCents: quote.total, person, categories: enteredLabels(data, values), entry, quote: { lines: quote, taxLocation: String(taxLocation), location: String(values.location ?? "") } } });
      } catch (error) {
        showAtFields(form, methods, error);
        showRefusedIntent(error);
      }
    });

  /** The form stays where it is; a payment that was made already is one press away. */
  const showRefusedIntent = (error: unknown) => {
    const clientSecret = isConflict(error) ? loadFill().clientSecret : undefined;
    // Paid already, and this tab never knew by which payment: what comes next is another entry.
    if (isConflict(error) && !clientSecret) forgetFill();
    const price = error instanceof ApiError ? error.problem.errors?.amount : undefined;
    const priceWords = price && `${price}. Please reload the page to go on at this price.`;
    const message = priceWords ?? detailOf(error) ?? "Unable to process payment. Please try again.";
    toast({ title: "Error", message, tone: "destructive" });
    setRefused({ reason: error instanceof ApiError ? message : "There is no connection to our server. Please try again.", clientSecret });
  };

  const succeed = useCallback((clientSecret: string, paid: PaidEntry) => {
    const shown = lastShown();
    if (!shown?.paid || shown.clientSecret !== clientSecret) {
      toast(
        { title: "Payment Successful", message: "Registration completed successfully!" },
        { title: "Registration Successful!", message: "Thank you for entering. You will receive a confirmation email shortly." },
      );
    }
    notePaid(clientSecret);
    forgetWritten(clientSecret);
    if (isOwnPayment(clientSecret, String(getValues("email") ?? ""))) {
      closeDraft.current();
      forgetFill();
    }
    noteShown({ clientSecret, paid: true });
    history.replaceState(null, "", `${location.pathname}?success=true`);
    setStep({ name: "success", paid });
  }, [getValues]);

  /** Saves what was paid for. The payment is never asked for again, whatever happens to the saving. */
  const settle = async (due: Due, paymentId: string): Promise<void> => {
    try {
      const { isPaid, paid } = due.entry ? paidBySaving(due, await saveEntry(due.entry, due.amountCents, paymentId, tellOfTheTurn)) : paidByNow(data, await askPaymentStatus(due.clientSecret));
      if (isPaid) succeed(due.clientSecret, paid);
      else setStep({ name: "outcome", clientSecret: due.clientSecret });
    } catch (error) {
      const failure = failureOf(kind, error);
      toast({ ...failure, tone: "destructive" });
      // Not paid, says the provider: then it can be paid again. Anything else concerns only the saving.
      const paidAs = isConflict(error) ? undefined : paymentId;
      setStep({ name: "payment", due: { ...due, paidAs, refused: isRefusal(error) ? failure.message : undefined } });
    }
  };

  return { step, setStep, busy, refused, proceed, settle, succeed };
}

function paidBySaving({ person, categories }: Due, { id, paymentStatus, paymentAmount }: StoredEntry) {
  return { isPaid: paymentStatus === "paid", paid: { cents: paymentAmount, id, email: person.email, categories } };
}

function paidByNow(data: EntryData, status: PaymentStatus) {
  return { isPaid: standingOf(status) === "registered", paid: paidOf(data, status) };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 409 || error.status === 422);
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

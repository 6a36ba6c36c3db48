import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { FormProvider } from "react-hook-form";
import type { PaymentStatus } from "./api";
import { linkedNames, noCategories } from "./form/entry-categories";
import { FormPlaceContext } from "../forms/form-place";
import { formOf } from "../forms/rules/form-rules";
import type { Offered, Values } from "../forms/rules/rules";
import { useAnswers } from "../forms/submit/use-answers";
import { useDraft } from "../forms/draft/use-draft";
import { toast } from "../kit/toast-store";
import type { EntryData } from "./entry-data.server";
import { labelsOfStatus, paidOf } from "./entered";
import { continueWritten, forgetFill, forgetPayment, forgetWritten } from "./storage/entry-fill";
import { EntryForm } from "./form/entry-form";
import { EntryIntroduction } from "./entry-introduction";
import { noteLeft, samePerson } from "./storage/own-payments";
import { PaymentOutcome } from "./payment/payment-outcome";
import { standingOf } from "./payment/payment-standing";
import { PaymentStep } from "./payment/payment-step";
import { SuccessStep } from "./success/success-step";
import { EnteredNotice, TooLateNotice, UnpaidNotice } from "./payment/unpaid-notice";
import { useArrival } from "./storage/use-arrival";
import { useEntryPayment } from "./payment/use-entry-payment";
import { usePaymentStatus } from "./payment/use-payment-status";

const form = formOf("competition-entries");
const defaultValues: Values = { ...noCategories, taxLocation: "new-york" };

/** The competition's entry, from the first field to the paid registration. */
export function Entry({ data }: { data: EntryData }) {
  const [fill, setFill] = useState(1);
  return <OneEntry key={fill} data={data} takesFocus={fill > 1} onDiscarded={() => setFill(fill + 1)} />;
}

interface Props {
  data: EntryData;
  /** Somebody asked for this fresh form, so it goes on where they are. */
  takesFocus: boolean;
  onDiscarded: () => void;
}

function OneEntry({ data, takesFocus, onDiscarded }: Props) {
  const offered = useMemo<Offered>(() => ({ categories: data.categories.map(({ slug, subcategories }) => ({ value: slug, subcategories })) }), [data]);
  const place = useMemo(() => ({ id: form.kind, documents: data.documents, offered }), [data, offered]);
  const methods = useAnswers(form, offered, defaultValues);
  const draft = useDraft(form, methods, linkedNames);
  const { step, setStep, busy, refused, proceed, settle, succeed } = useEntryPayment({ data, methods, draft });
  const { begun, entered, linked } = useArrival(data, methods, (clientSecret) => setStep({ name: "outcome", clientSecret }));

  const [unpaid, setUnpaid] = useState<PaymentStatus>();

  // A payment that was begun before a reload or in a tab that was closed may have been made after all.
  usePaymentStatus(step.name === "form" ? begun : undefined, (status) => {
    const standing = standingOf(status);
    if (standing === "registered") succeed(begun!, paidOf(data, status));
    else if (standing === "cancelled") forgetPayment(begun!);
    else if (standing === "unpaid" && status.entryId !== null) setUnpaid(status);
    else if (standing !== "unpaid") setStep({ name: "outcome", clientSecret: begun });
  });

  const backToForm = useCallback(() => {
    history.replaceState(history.state, "", location.pathname);
    setStep({ name: "form", takesFocus: true });
  }, [setStep]);
  const secret = step.name === "outcome" ? step.clientSecret : undefined;
  const onOutcomePaid = useCallback((status: PaymentStatus) => succeed(secret ?? "", paidOf(data, status)), [data, secret, succeed]);
  const due = step.name === "payment" ? step.due : undefined;
  const [paying, setPaying] = useState(false);
  useBackButton(due !== undefined && !due.paidAs, paying, backToForm);
  useWayBack(due?.clientSecret, (clientSecret) => setStep({ name: "outcome", clientSecret }));

  const payFor = (clientSecret: string, status: PaymentStatus) => {
    continueWritten(clientSecret);
    const typed = personOf(methods.getValues());
    const email = status.email ?? typed.email;
    const person = samePerson(typed.email, email) ? typed : { name: "", email, phone: "" };
    setStep({ name: "payment", due: { clientSecret, amountCents: status.paymentAmount, person, categories: labelsOfStatus(data, status) } });
  };

  const startOver = () => {
    draft.close();
    forgetFill();
    forgetWritten();
    onDiscarded();
  };

  return (
    <FormPlaceContext value={place}>
      <FormProvider {...methods}>
        {step.name === "form" && (
          <>
            {unpaid && begun && data.closed === null && (
              <UnpaidNotice data={data} unpaid={unpaid} onContinue={() => payFor(begun, unpaid)} onStartOver={startOver} />
            )}
            {unpaid && data.closed !== null && <TooLateNotice data={data} unpaid={unpaid} />}
            {entered && !unpaid && data.closed === null && <EnteredNotice data={data} email={entered} />}
            <EntryIntroduction data={data} linked={linked} />
            {data.closed === null && (
              <EntryForm
                data={data}
                busy={busy}
                takesFocus={takesFocus || (step.takesFocus ?? false)}
                restored={draft.restored}
                kept={draft.kept}
                refused={refused}
                onAsk={(clientSecret) => setStep({ name: "outcome", clientSecret })}
                onKeep={draft.hideNotice}
                onDiscard={unpaid ? undefined : startOver}
                onContinue={proceed}
              />
            )}
          </>
        )}
        {step.name === "payment" && <PaymentStep data={data} due={step.due} onBusy={setPaying} onBack={backToForm} onAsk={(clientSecret) => setStep({ name: "outcome", clientSecret })} onPaid={settle} />}
        {step.name === "outcome" && (
          <PaymentOutcome
            data={data}
            clientSecret={step.clientSecret}
            onPaid={onOutcomePaid}
            onRetry={(status) => payFor(step.clientSecret!, status)}
            onBack={backToForm}
            onNew={() => {
              if (secret) forgetPayment(secret);
              backToForm();
            }}
            onAnother={() => {
              if (secret) noteLeft(secret);
              history.replaceState(history.state, "", location.pathname);
              startOver();
            }}
          />
        )}
        {step.name === "success" && <SuccessStep data={data} paid={step.paid} />}
      </FormProvider>
    </FormPlaceContext>
  );
}

/**
 * The browser's own back button leads from the payment to the form, and not away from both; while money may be moving it
 * leads nowhere, since what was changed in the form then would be charged.
 */
function useBackButton(active: boolean, paying: boolean, back: () => void): void {
  const inHistory = useRef(false);
  useEffect(() => {
    if (!active) return;
    if (!inHistory.current) history.pushState(history.state, "");
    inHistory.current = true;
    const onBack = () => {
      if (paying) {
        history.pushState(history.state, "");
        return toast({ title: "One moment", message: "Your payment is under way. Please stay on this page until it is done." });
      }
      inHistory.current = false;
      back();
    };
    addEventListener("popstate", onBack);
    return () => removeEventListener("popstate", onBack);
  }, [active, paying, back]);
}

/** Somebody went to their bank and came back with the browser's button, to a page that still waits for the answer. */
function useWayBack(clientSecret: string | undefined, onBack: (clientSecret: string) => void): void {
  const goBack = useRef(onBack);
  useEffect(() => {
    if (!clientSecret) return;
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && goBack.current(clientSecret);
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, [clientSecret]);
}

function personOf({ name = "", email = "", phone = "" }: Values) {
  return { name: String(name), email: String(email), phone: String(phone) };
}

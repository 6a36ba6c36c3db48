import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { FormProvider } from "react-hook-form";
import { useLocation } from "wouter";
import { useDraft } from "../forms/draft";
import { FormPlaceContext } from "../forms/form-place";
import type { Offered, Values } from "../forms/rules/rules";
import { useAnswers } from "../forms/submit/use-answers";
import "../kit/toast";
import { toast } from "../kit/toast-store";
import type { PaymentStatus } from "./api";
import { labelsOfStatus, paidEntryOf } from "./entry-labels";
import type { EntryData } from "./entry-data.server";
import { EntryIntroduction } from "./entry-introduction";
import { linkedNames, noCategories } from "./form/entry-categories";
import { EntryForm } from "./form/entry-form";
import { PaymentStatusPage, usePaidElsewhere, usePaymentStatus } from "./payment/payment-status-page";
import { PaymentStep } from "./payment/payment-step";
import { EnteredNotice, TooLateNotice, UnpaidNotice } from "./payment/unpaid-notice";
import { SuccessStep } from "./success/success-step";
import { paymentResultOf, useEntryPayment } from "./payment/use-entry-payment";
import { continueSent, forgetAttempt, forgetPayment, forgetSent } from "./storage/entry-attempt";
import { noteAbandoned, samePerson } from "./storage/own-payments";
import { useOpenedWith } from "./storage/use-opened-with";

const defaultValues: Values = { ...noCategories, taxLocation: "new-york" };

/** The competition's entry, from the first field to the paid registration. */
export function Entry({ data }: { data: EntryData }) {
  const [attempt, setAttempt] = useState(1);
  const [invited, setInvited] = useState(false);
  const shown = useMemo(() => (invited ? { ...data, closed: data.closedToInvited } : data), [data, invited]);
  return <OneEntry key={attempt} data={shown} takesFocus={attempt > 1} onDiscarded={() => setAttempt(attempt + 1)} onInvited={() => setInvited(true)} />;
}

interface Props {
  data: EntryData;
  /** The person started over, so the new form takes the focus. */
  takesFocus: boolean;
  onDiscarded: () => void;
  /** The person has an invitation that opens the form. */
  onInvited: () => void;
}

/** `machine.ts` has the states of an entry and what leads from one to the next. */
function OneEntry({ data, takesFocus, onDiscarded, onInvited }: Props) {
  const { form } = data;
  const offered = useMemo<Offered>(() => ({ categories: data.categories.map(({ slug, subcategories }) => ({ value: slug, subcategories })) }), [data]);
  const place = useMemo(() => ({ id: form.kind, documents: data.documents, offered }), [form, data, offered]);
  const methods = useAnswers(form, offered, defaultValues);
  const draft = useDraft(form, methods, linkedNames);
  const { state, dispatch, runPayment, proceed, settle, succeed } = useEntryPayment({ data, methods, draft });
  const [path, navigate] = useLocation();
  useOpenedWith(data, methods, dispatch, onInvited);
  const { step, busy, begun, entered, unpaid } = state;

  // A payment that was begun before a reload or in a tab that was closed may have been made after all.
  usePaymentStatus(step.name === "form" ? begun : undefined, (status) => {
    if (paymentResultOf(status) === "registered") succeed(begun!, paidEntryOf(data, status));
    else if (paymentResultOf(status) === "cancelled") forgetPayment(begun!);
    dispatch({ type: "statusReceived", status });
  });

  const due = step.name === "payment" ? step.due : undefined;
  const isToBePaid = due !== undefined && due.paidAs === undefined;
  useBackButton(isToBePaid, busy, () => {
    navigate(path, { replace: true });
    dispatch({ type: "browserBack" });
  });
  useWayBack(due?.clientSecret, (clientSecret) => dispatch({ type: "statusAsked", clientSecret }));
  const awaited = isToBePaid ? due.clientSecret : step.name === "form" && unpaid ? begun : undefined;
  usePaidElsewhere(busy ? undefined : awaited, () => dispatch({ type: "statusAsked", clientSecret: awaited }));

  const goToForm = () => {
    navigate(path, { replace: true });
    dispatch({ type: "formChosen" });
  };
  const askStatus = (clientSecret: string) => dispatch({ type: "statusAsked", clientSecret });
  const payFor = (clientSecret: string, status: PaymentStatus) => {
    continueSent(clientSecret);
    const typed = personOf(methods.getValues());
    const email = status.email ?? typed.email;
    const person = samePerson(typed.email, email) ? typed : { name: "", email, phone: "" };
    dispatch({ type: "paymentChosen", due: { clientSecret, amountCents: status.paymentAmount, person, categories: labelsOfStatus(data, status), status } });
  };
  const startOver = () => {
    draft.close();
    forgetAttempt();
    forgetSent();
    onDiscarded();
  };

  return (
    <FormPlaceContext value={place}>
      <FormProvider {...methods}>
        {step.name === "form" && (
          <div className="part">
            {unpaid && begun && data.closed === null && (
              <UnpaidNotice data={data} unpaid={unpaid} onContinue={() => payFor(begun, unpaid)} onStartOver={startOver} />
            )}
            {unpaid && data.closed !== null && <TooLateNotice data={data} unpaid={unpaid} />}
            {entered && !unpaid && data.closed === null && <EnteredNotice data={data} email={entered} />}
            <EntryIntroduction data={data} linked={state.linked} />
            {data.closed === null && (
              <EntryForm
                data={data}
                busy={busy}
                takesFocus={takesFocus || step.takesFocus}
                restored={draft.restored}
                kept={draft.kept}
                refused={state.refused}
                onAsk={askStatus}
                onKeep={draft.hideNotice}
                onDiscard={unpaid ? undefined : startOver}
                onContinue={proceed}
              />
            )}
          </div>
        )}
        {due && <PaymentStep data={data} due={due} busy={busy} run={runPayment} onBack={goToForm} onAsk={askStatus} onPaid={settle} />}
        {step.name === "status" && (
          <PaymentStatusPage
            data={data}
            clientSecret={step.clientSecret}
            onPaid={(status) => succeed(step.clientSecret ?? "", paidEntryOf(data, status))}
            onRetry={(status) => payFor(step.clientSecret!, status)}
            onBack={goToForm}
            onNew={() => {
              if (step.clientSecret) forgetPayment(step.clientSecret);
              goToForm();
            }}
            onAnother={() => {
              if (step.clientSecret) noteAbandoned(step.clientSecret);
              navigate(path, { replace: true });
              startOver();
            }}
          />
        )}
        {step.name === "success" && <SuccessStep data={data} paid={step.paid} />}
      </FormProvider>
    </FormPlaceContext>
  );
}

/** The browser's own back button leads from the payment to the form, and not away from both; while money may be moving it leads nowhere. */
function useBackButton(active: boolean, paying: boolean, back: () => void): void {
  const [, navigate] = useLocation();
  const inHistory = useRef(false);
  const stay = useEffectEvent(() => navigate(location.pathname + location.search, { state: { payment: true } }));
  const onBack = useEffectEvent(() => {
    if (paying) {
      stay();
      return toast({ title: "One moment", message: "Your payment is under way. Please stay on this page until it is done." });
    }
    inHistory.current = false;
    back();
  });
  useEffect(() => {
    if (!active) return;
    if (!inHistory.current) stay();
    inHistory.current = true;
    const follow = () => onBack();
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [active]);
}

/** After the browser's back button on the bank's page, the browser may restore this page as it was, still waiting for the outcome. */
function useWayBack(clientSecret: string | undefined, back: (clientSecret: string) => void): void {
  const onBack = useEffectEvent(back);
  useEffect(() => {
    if (!clientSecret) return;
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && onBack(clientSecret);
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, [clientSecret]);
}

function personOf({ name = "", email = "", phone = "" }: Values) {
  return { name: String(name), email: String(email), phone: String(phone) };
}

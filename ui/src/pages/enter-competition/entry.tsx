import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import type { PaymentStatus } from "../../api/payment";
import { noCategories } from "../../form/entry-categories";
import { FormPlaceContext } from "../../form/form-place";
import { formOf } from "../../form/form-rules";
import { resolverOf } from "../../form/resolver";
import type { Offered, Values } from "../../form/rules";
import { useDraft } from "../../form/use-draft";
import type { EntryData } from "./entry-data";
import { forgetFill, forgetPayment } from "./entry-fill";
import { EntryForm } from "./entry-form";
import { EntryIntroduction } from "./entry-introduction";
import { PaymentOutcome } from "./payment-outcome";
import { PaymentStep } from "./payment-step";
import { SuccessStep } from "./success-step";
import { useArrival } from "./use-arrival";
import { useEntryPayment } from "./use-entry-payment";
import { usePaymentStatus } from "./use-payment-status";

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
  const methods = useForm<Values>({ mode: "onTouched", shouldFocusError: false, defaultValues, resolver: useMemo(() => resolverOf(form, offered), [offered]) });
  const draft = useDraft(form, methods);
  const { step, setStep, busy, proceed, settle, succeed } = useEntryPayment({ data, methods, draft });
  const begun = useArrival(data, methods, (clientSecret) => setStep({ name: "outcome", clientSecret }));

  // A payment that was begun before a reload or in a tab that was closed may have been made after all.
  usePaymentStatus(step.name === "form" ? begun : undefined, ({ state, paymentAmount }) => {
    if (state === "paid") succeed(begun!, paymentAmount);
    if (state === "processing") setStep({ name: "outcome", clientSecret: begun });
    if (state === "cancelled") forgetPayment();
  });

  const backToForm = useCallback(() => {
    history.replaceState(history.state, "", location.pathname);
    setStep({ name: "form", takesFocus: true });
  }, [setStep]);
  const secret = step.name === "outcome" ? step.clientSecret : undefined;
  const onOutcomePaid = useCallback(({ paymentAmount }: PaymentStatus) => succeed(secret ?? "", paymentAmount), [secret, succeed]);
  const due = step.name === "payment" ? step.due : undefined;
  useBackButton(due !== undefined && !due.paidAs, backToForm);
  useWayBack(due?.clientSecret, (clientSecret) => setStep({ name: "outcome", clientSecret }));

  return (
    <FormPlaceContext value={place}>
      <FormProvider {...methods}>
        {step.name === "form" && (
          <>
            <EntryIntroduction data={data} />
            {data.closed === null && (
              <EntryForm
                data={data}
                busy={busy}
                takesFocus={takesFocus || (step.takesFocus ?? false)}
                restored={draft.restored}
                onKeep={draft.hideNotice}
                onDiscard={() => {
                  draft.close();
                  forgetFill();
                  onDiscarded();
                }}
                onContinue={proceed}
              />
            )}
          </>
        )}
        {step.name === "payment" && <PaymentStep data={data} due={step.due} onBack={backToForm} onUnknown={() => setStep({ name: "outcome", clientSecret: step.due.clientSecret })} onPaid={settle} />}
        {step.name === "outcome" && (
          <PaymentOutcome
            data={data}
            clientSecret={step.clientSecret}
            onPaid={onOutcomePaid}
            onRetry={({ paymentAmount }) => setStep({ name: "payment", due: { clientSecret: step.clientSecret!, amountCents: paymentAmount, person: personOf(methods.getValues()) } })}
            onBack={backToForm}
            onNew={() => {
              forgetPayment();
              backToForm();
            }}
          />
        )}
        {step.name === "success" && <SuccessStep text={data.text} paidCents={step.paidCents} />}
      </FormProvider>
    </FormPlaceContext>
  );
}

/** The browser's own back button leads from the payment to the form, and not away from both. */
function useBackButton(active: boolean, back: () => void): void {
  const inHistory = useRef(false);
  useEffect(() => {
    if (!active) return;
    if (!inHistory.current) history.pushState(history.state, "");
    inHistory.current = true;
    const onBack = () => {
      inHistory.current = false;
      back();
    };
    addEventListener("popstate", onBack);
    return () => removeEventListener("popstate", onBack);
  }, [active, back]);
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

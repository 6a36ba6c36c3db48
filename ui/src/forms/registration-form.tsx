import { useEffect, useMemo, useState, type ReactNode } from "react";
import { FormProvider } from "react-hook-form";
import { useShell } from "../lib/shell-context";
import "../kit/toast";
import { clearToast } from "../kit/toast-store";
import { useFocusAfter } from "../kit/use-busy";
import { ErrorSummary } from "./submit/error-summary";
import { ClosedNotice, RestoredNotice, StalledNotice, notKept, NotSent } from "./submit/form-notices";
import { NoScriptNotice } from "./submit/no-script-notice";
import { FormPlaceContext, type LegalDocument } from "./form-place";
import type { FormRule } from "./rules/form-rules";
import { FormSections } from "./fields/form-sections";
import { Honeypot } from "./submit/honeypot";
import { SuccessPanel, type StoredForm } from "./submit/success-panel";
import { useAnswers } from "./submit/use-answers";
import { useDraft } from "./draft";
import { useHydrated, markHydrated, unhydrated } from "./submit/hydration";
import { useSubmission } from "./submit/use-submission";

export interface FormTexts {
  submitLabel: string;
  successTitle: string;
  successText: string;
  /** What happens next, for the success. */
  steps: string[];
}

interface Props {
  form: FormRule;
  texts: FormTexts;
  /** Field name to the text that is agreed to there. */
  documents?: Record<string, LegalDocument>;
  /** What stands beside the form and follows it. */
  aside?: ReactNode;
}

const noDocuments = {};

/** A form, or the notice that it is closed; after it was sent, the thanks and a way to fill it in again. */
export function RegistrationForm({ form, texts, documents = noDocuments, aside }: Props) {
  const opening = useShell().openings[form.kind];
  const [fill, setFill] = useState(1);
  const [stored, setStored] = useState<StoredForm>();
  const startOver = () => {
    setStored(undefined);
    setFill(fill + 1);
  };
  if (opening?.open === false) return <ClosedNotice message={opening.message} />;
  if (stored) {
    return (
      <SuccessPanel kind={form.kind} hasLongTexts={form.sections.some(({ fields }) => fields.some(({ type }) => type === "longText"))} title={texts.successTitle} text={texts.successText} steps={texts.steps} stored={stored} onAgain={startOver} />
    );
  }
  return (
    <OpenForm
      key={fill}
      form={form}
      texts={texts}
      documents={documents}
      aside={aside}
      onStored={setStored}
      onDiscarded={startOver}
      takesFocus={fill > 1}
    />
  );
}

interface OpenProps {
  form: FormRule;
  texts: FormTexts;
  documents: Record<string, LegalDocument>;
  aside?: ReactNode;
  onStored: (stored: StoredForm) => void;
  onDiscarded: () => void;
  /** Somebody asked for this fresh form, so it goes on where they are. */
  takesFocus: boolean;
}

function OpenForm({ form, texts, documents, aside, onStored, onDiscarded, takesFocus }: OpenProps) {
  const id = form.kind;
  const place = useMemo(() => ({ id, documents }), [id, documents]);
  const methods = useAnswers(form);
  const draft = useDraft(form, methods);
  const { busy, failureMessage, submit } = useSubmission({ form, methods, documents, draft, onStored });
  const hydrated = useHydrated();
  const button = useFocusAfter(busy);
  const { setFocus } = methods;
  const firstField = form.sections[0]?.fields[0]?.name ?? "";

  useEffect(() => {
    if (takesFocus) setFocus(firstField);
  }, [takesFocus, setFocus, firstField]);

  const goOn = () => {
    draft.hideNotice();
    setFocus(firstField);
  };
  const discard = () => {
    draft.close();
    onDiscarded();
  };

  return (
    <FormPlaceContext value={place}>
      <FormProvider {...methods}>
        <div className={aside ? "form-grid" : "form-alone"}>
          {aside && <aside className="form-aside">{aside}</aside>}
          <form ref={markHydrated} {...unhydrated(form.kind)} className="form" noValidate aria-label={form.name} aria-busy={busy} onSubmit={(event) => void methods.handleSubmit(submit, clearToast)(event)}>
            <NoScriptNotice />
            <StalledNotice />
            <ErrorSummary form={form} />
            {draft.restored && <RestoredNotice onDiscard={discard} onKeep={goOn} />}
            <FormSections form={form} />
            <Honeypot />
            {failureMessage && !busy && <NotSent reason={failureMessage} kept={draft.kept} />}
            <div className="form-end">
              {/* Sent by the browser itself, the answers would end up in the address. */}
              <button ref={button} type="submit" className="button button-primary" disabled={busy || !hydrated}>
                {busy ? "Submitting..." : texts.submitLabel}
              </button>
              <p className="field-hint form-kept">{draft.kept ? "What you type is kept on this device until you send it." : draft.kept === false && notKept}</p>
            </div>
          </form>
        </div>
      </FormProvider>
    </FormPlaceContext>
  );
}

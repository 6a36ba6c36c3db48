import { useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { FormField } from "../../forms/fields/form-field";
import { FormSections } from "../../forms/fields/form-sections";
import { SectionProgress } from "../../forms/fields/section-progress";
import type { FormRule, SectionRule } from "../../forms/rules/form-rules";
import type { Values } from "../../forms/rules/rules";
import { ErrorSummary } from "../../forms/submit/error-summary";
import { RestoredNotice, StalledNotice, notKept, NotSent } from "../../forms/submit/form-notices";
import { Honeypot } from "../../forms/submit/honeypot";
import { NoScriptNotice } from "../../forms/submit/no-script-notice";
import { useHydrated, markHydrated, unhydrated } from "../../forms/submit/hydration";
import { clearToast } from "../../kit/toast-store";
import { useFocusAfter } from "../../kit/use-busy";
import { dollars } from "../../lib/money";
import type { EntryData } from "../entry-data.server";
import type { Refusal } from "../machine";
import { BarStatus } from "../step-head";
import { CategoryFields } from "./category-fields";
import { FeePanel } from "./fee-panel";
import { useQuote } from "./pricing";
import { TaxField } from "./tax-field";

interface Props {
  data: EntryData;
  busy: boolean;
  /** The person returned to the form or started over. */
  takesFocus: boolean;
  /** The draft of an earlier visit is back in the fields. */
  restored: boolean;
  /** What is typed is in the browser's storage. */
  kept: boolean | undefined;
  /** Why the last attempt to continue failed. */
  refused: Refusal | undefined;
  /** Shows the outcome of a payment. */
  onAsk: (clientSecret: string) => void;
  onKeep: () => void;
  /** Undefined if the page has its own button to start over. */
  onDiscard: (() => void) | undefined;
  onContinue: (values: Values) => Promise<void>;
}

/** The first step: who enters, what, and what it costs. */
export function EntryForm({ data, busy, takesFocus, restored, kept, refused, onAsk, onKeep, onDiscard, onContinue }: Props) {
  const { handleSubmit, setFocus } = useFormContext<Values>();
  const form = useMemo(() => entryRules(data), [data]);
  const quote = useQuote(data);
  const taxLocation = useWatch({ name: "taxLocation" }) as string | undefined;
  const hydrated = useHydrated();
  const button = useFocusAfter(busy);
  const box = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => markHydrated(box.current), []);
  useEffect(() => {
    if (!takesFocus) return;
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ behavior: "instant" });
  }, [takesFocus]);
  return (
    <div className="frame form-page form-grid entry-grid">
      <BarStatus step={1} cents={quote?.total} />
      <form ref={box} {...unhydrated(form.kind)} tabIndex={-1} className="form" noValidate aria-label={form.name} aria-busy={busy} onSubmit={(event) => void handleSubmit(onContinue, clearToast)(event)}>
        <NoScriptNotice />
        <StalledNotice />
        <ErrorSummary form={form} />
        {restored && <RestoredNotice onDiscard={onDiscard} onKeep={() => { onKeep(); setFocus("name"); }} />}
        <FormSections form={form} fieldsOf={(section) => sectionFields(section, data)} />
        <Honeypot />
        {refused && !busy && (
          <NotSent reason={refused.reason} kept={kept}>
            {refused.clientSecret && <button type="button" className="button button-plain" onClick={() => onAsk(refused.clientSecret!)}>See what became of your payment</button>}
          </NotSent>
        )}
        <div className="form-end">
          {/* Sent by the browser itself, the answers would end up in the address. */}
          <button ref={button} type="submit" className="button button-primary" disabled={busy || !quote || !hydrated}>
            {busy ? "Processing..." : buttonText(data.text.submitLabel, quote?.total ?? 0)}
          </button>
          <p className="field-hint">{data.text.note}{kept ? " What you type is kept on this device until then." : kept === false && ` ${notKept}`}</p>
        </div>
      </form>
      <aside className="form-aside">
        <SectionProgress form={form} drawing={data.drawing} />
        <p className="hidden-text" role="status">{quote ? `Total ${dollars(quote.total)}` : ""}</p>
        {quote && <FeePanel quote={quote} pricing={data.pricing} taxLocation={taxLocation ?? ""} />}
      </aside>
    </div>
  );
}

/** The sections that are more than a column of fields. */
function sectionFields({ fields }: SectionRule, data: EntryData): ReactNode {
  if (fields.some(({ name }) => name === "primaryCategory")) return <CategoryFields data={data} />;
  if (!fields.some(({ name }) => name === "taxLocation")) return undefined;
  return fields.map((field) => (field.name === "taxLocation" ? <TaxField key={field.name} field={field} /> : <FormField key={field.name} field={field} />));
}

function buttonText(label: string, total: number): string {
  return total > 0 ? `${label} - ${dollars(total)}` : "Complete Form to Continue";
}

/** The form's rules with the tax locations that the organiser offers. */
function entryRules({ form, pricing }: EntryData): FormRule {
  const options = pricing.taxLocations.map(({ value, label }) => ({ value, label }));
  return {
    ...form,
    sections: form.sections.map((section) => ({
      ...section,
      fields: section.fields.map((field) => (field.name === "taxLocation" ? { ...field, type: "choice" as const, options } : field)),
    })),
  };
}

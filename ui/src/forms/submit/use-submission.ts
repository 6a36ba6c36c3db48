import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { clearToast, toast, notifyRateLimited } from "../../kit/toast-store";
import { useBusy } from "../../kit/use-busy";
import type { Kind } from "../../lib/answer-types";
import { ApiError, detailOf, errorsOf } from "../../lib/api-error";
import { attemptFor, type Attempt } from "../../lib/idempotency-key";
import { post } from "../../lib/request";
import { versionsOf, type LegalDocument } from "../form-place";
import { fieldsOf, type FormRule } from "../rules/form-rules";
import type { Values } from "../rules/rules";
import { completedValues } from "../rules/values";
import { honeypotName } from "./honeypot";

interface Setting {
  form: FormRule;
  methods: UseFormReturn<Values>;
  documents: Record<string, LegalDocument>;
  draft: { attempt: { current: Attempt | undefined }; save: () => void; close: () => void };
  onStored: (stored: { id: number | undefined; email: string }) => void;
}

/** Sends the form, once at a time. A failure is shown as a notification, above the button, and at the fields that the server names. */
export function useSubmission({ form, methods, documents, draft, onStored }: Setting) {
  const { busy, run } = useBusy();
  const [failureMessage, setFailureMessage] = useState("");

  const submit = (values: Values) => run(async () => {
    clearToast();
    const answers = { ...completedValues(form, values), agreedTo: versionsOf(documents), [honeypotName]: methods.getValues(honeypotName) };
    const attempt = attemptFor(answers, secondsSpent(), draft.attempt.current);
    draft.attempt.current = attempt;
    draft.save();
    try {
      const stored = await post<{ id?: number } | undefined>(`/api/${form.kind}`, { ...answers, secondsSpent: attempt.secondsSpent }, attempt.key, notifyRateLimited);
      draft.close();
      onStored({ id: stored?.id, email: String(values.email ?? "") });
    } catch (error) {
      showAtFields(form, methods, error);
      const failure = failureOf(form.kind, error);
      toast({ ...failure, tone: "destructive" });
      setFailureMessage(error instanceof ApiError ? failure.message : "There is no connection to our server. Please try again.");
    }
  });

  return { busy, failureMessage, submit };
}

interface FailureText {
  title: string;
  /** Shown if the server sends no message. */
  message: string;
}

const application: FailureText = {
  title: "Error",
  message: "There was an error submitting your application. Please try again.",
};

/** The error catalogue of the forms. */
const failures: Record<Kind, FailureText> = {
  "speaker-applications": application,
  "judge-applications": application,
  "sponsor-applications": { title: "Error submitting application", message: "Please try again later." },
  "professional-demo-registrations": { title: "Submission Failed", message: "Failed to submit application" },
  "competition-entries": { title: "Error", message: "There was an error submitting your entry. Please try again." },
  "waitlist-signups": { title: "Error", message: "You are not on the waitlist yet. Please try again." },
  "sponsor-inquiries": { title: "Error", message: "There was an error sending your inquiry. Please try again." },
};

export function failureOf(kind: Kind, error: unknown): FailureText {
  const { title, message } = failures[kind];
  return { title, message: detailOf(error) ?? message };
}

/** Shows the server's errors at the fields that it names. */
export function showAtFields(form: FormRule, methods: UseFormReturn<Values>, error: unknown): void {
  const errors = errorsOf(error);
  const known = fieldsOf(form).filter((field) => errors[field.name]);
  for (const { name } of known) methods.setError(name, { type: "server", message: errors[name] });
}

/**
 * Seconds since the document was opened, to a tenth, by a monotonic clock. They do not start when the form becomes
 * visible: a form that the browser has filled in can be sent within moments, and a person who is taken for a bot gets no
 * email.
 */
export function secondsSpent(): number {
  return Math.round(performance.now() / 100) / 10;
}

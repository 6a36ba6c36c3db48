import { useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { clearToast, toast, notifyRateLimited } from "../../kit/toast-store";
import { ApiError } from "../../lib/api-error";
import { attemptFor, type Attempt } from "../../lib/idempotency-key";
import { post } from "../../lib/request";
import { versionsOf, type LegalDocument } from "../legal-document";
import type { FormRule } from "../rules/form-rules";
import type { Values } from "../rules/rules";
import { completedValues } from "../rules/values";
import { honeypotName } from "./honeypot";
import { failureOf } from "./outcome";
import { showAtFields } from "./refusal";
import { secondsSpent } from "./seconds-spent";

interface Setting {
  form: FormRule;
  methods: UseFormReturn<Values>;
  documents: Record<string, LegalDocument>;
  draft: { attempt: { current: Attempt | undefined }; save: () => void; close: () => void };
  onStored: (stored: { id: number | undefined; email: string }) => void;
}

/** Sends the form, once at a time. A failure is shown as a notification, above the button, and at the fields that the server names. */
export function useSending({ form, methods, documents, draft, onStored }: Setting) {
  const [sending, setSending] = useState(false);
  const [notSent, setNotSent] = useState("");
  const busy = useRef(false);

  const send = async (values: Values) => {
    if (busy.current) return;
    busy.current = true;
    setSending(true);
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
      setNotSent(error instanceof ApiError ? failure.message : "There is no connection to our server. Please try again.");
    } finally {
      busy.current = false;
      setSending(false);
    }
  };

  return { sending, notSent, send };
}

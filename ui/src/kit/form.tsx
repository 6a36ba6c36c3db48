import { useEffect, useRef, useState, type ComponentProps } from "react";
import { detailOf, errorsOf } from "../lib/api-error";
import { useBusy } from "./use-busy";

/** What is wrong with each field. */
type Errors = Record<string, string | undefined>;
/** The same before a form is sent; false for a field that is right. */
type Mistakes = Record<string, string | false>;

interface Options {
  /** The fields that show an error of their own; every one if absent. Any other error becomes the failure. */
  fields?: readonly string[];
  /** The failure for which the server gives no reason. */
  failed?: string;
  /** The field that an error of the server is about. */
  fieldOf?: (key: string) => string;
  /** For what else a failure changes. Returns true if nothing is to be said about it. */
  onFailed?: (error: unknown) => unknown;
}

/** Sends a form without react-hook-form, once at a time, and keeps what went wrong until the next try: by field, or as one sentence for the whole form. */
export function useSend({ fields, failed = "Nothing was saved. Please check your connection and try again.", fieldOf = (key) => key, onFailed }: Options = {}) {
  const { busy, run } = useBusy();
  const [{ errors, failure }, setWrong] = useState<{ errors: Errors; failure: string }>({ errors: {}, failure: "" });
  const refuse = (found: Errors, otherwise: string) => {
    const all = Object.entries(found).map(([key, message]) => [fieldOf(key), message] as const);
    const isKnown = ([name]: readonly [string, unknown]) => fields?.includes(name) ?? true;
    setWrong({ errors: Object.fromEntries(all.filter(isKnown)), failure: all.find((one) => !isKnown(one))?.[1] ?? (all.length === 0 ? otherwise : "") });
  };
  /** Sends nothing while there are mistakes. The task may return why nothing could be sent. */
  const send = (task: () => Promise<unknown>, mistakes: Mistakes = {}) => {
    const found = Object.entries(mistakes).filter((one): one is [string, string] => one[1] !== false);
    refuse(Object.fromEntries(found), "");
    if (found.length > 0) return;
    void run(async () => {
      try {
        const refusal = await task();
        if (typeof refusal === "string") refuse({}, refusal);
      } catch (error) {
        if (await onFailed?.(error) === true) return;
        refuse(errorsOf(error), detailOf(error) ?? failed);
      }
    });
  };
  return { busy, errors, failure, send, clear: () => refuse({}, "") };
}

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  errors?: Errors;
  onSend: () => void;
}

/** A form whose first field with an error takes the focus after each try. */
export function Form({ errors, onSend, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(), [errors]);
  return (
    <form
      ref={form} noValidate {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    />
  );
}

/** Why the last try failed, for the form as a whole. */
export function FormFailure({ children }: { children: string | undefined }) {
  return children ? <p role="alert" className="field-error">{children}</p> : null;
}

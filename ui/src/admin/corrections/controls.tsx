import { useId, type ComponentProps, type ReactNode } from "react";

/** A button of the organiser's pages. */
export function Button({ look = "primary", busy = false, busyLabel, onClick, children, ...rest }: ComponentProps<"button"> & { look?: "primary" | "outline" | "text"; busy?: boolean; busyLabel?: string }) {
  return (
    <button type="button" {...rest} className={look === "text" ? "text-button" : `button button-${look}`} aria-disabled={busy || undefined} onClick={busy ? (event) => event.preventDefault() : onClick}>
      {busy && busyLabel ? busyLabel : children}
    </button>
  );
}

interface FieldProps {
  label: ReactNode;
  /** Stands after the label: "(optional)". */
  note?: string;
  hint?: ReactNode;
  error?: string;
}

type Control = Pick<ComponentProps<"input">, "id" | "className" | "aria-describedby" | "aria-invalid">;

/** Label, hint and error around one control. */
function Field({ label, note, hint, error, children }: FieldProps & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">{label}{note && <span className="optional-mark"> {note}</span>}</label>
      {hint && <p id={`${id}-hint`} className="field-hint">{hint}</p>}
      {error && <p id={`${id}-error`} className="field-error" role="status">{error}</p>}
      {children({ id, className: "input", "aria-describedby": describedBy || undefined, "aria-invalid": error ? true : undefined })}
    </div>
  );
}

export function TextField({ label, note, hint, error, ...input }: FieldProps & Omit<ComponentProps<"input">, "id" | "className">) {
  return <Field label={label} note={note} hint={hint} error={error}>{(control) => <input autoComplete="off" {...input} {...control} />}</Field>;
}

export function LongTextField({ label, note, hint, error, ...textarea }: FieldProps & Omit<ComponentProps<"textarea">, "id" | "className">) {
  return <Field label={label} note={note} hint={hint} error={error}>{(control) => <textarea autoComplete="off" {...textarea} {...control} />}</Field>;
}

export function Select({ label, note, hint, error, options, ...select }: FieldProps & Omit<ComponentProps<"select">, "id" | "className" | "children"> & { options: readonly { value: string; label: string }[] }) {
  return (
    <Field label={label} note={note} hint={hint} error={error}>
      {(control) => (
        <div className="select">
          <select autoComplete="off" {...select} {...control}>
            {options.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </select>
        </div>
      )}
    </Field>
  );
}

export function Checkbox({ label, ...input }: Omit<ComponentProps<"input">, "type" | "className"> & { label: ReactNode }) {
  return <label className="tick"><input {...input} type="checkbox" /><span>{label}</span></label>;
}

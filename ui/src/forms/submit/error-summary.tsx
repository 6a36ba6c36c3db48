import { useEffect, useRef, useState, type MouseEvent } from "react";
import { useFormState } from "react-hook-form";
import { fieldsOf, type FormRule } from "../rules/form-rules";
import { useFormPlace } from "../form-place";

interface Listed {
  name: string;
  message: string;
}

/**
 * The errors of the last attempt to send the form. It takes the focus and links to the fields. An error that has been fixed
 * is crossed out, not removed, so that nothing moves while somebody is typing.
 */
export function ErrorSummary({ form }: { form: FormRule }) {
  const { id } = useFormPlace();
  const { errors, submitCount } = useFormState();
  const box = useRef<HTMLDivElement>(null);
  const seen = useRef(submitCount);
  const [listed, setListed] = useState<Listed[]>([]);

  // `submitCount` changes in the same render as the errors of that attempt.
  useEffect(() => {
    if (seen.current === submitCount) return;
    seen.current = submitCount;
    const wrong = fieldsOf(form).filter((field) => errors[field.name]);
    if (wrong.length > 0) setListed(wrong.map(({ name }) => ({ name, message: String(errors[name]?.message) })));
  }, [form, errors, submitCount]);

  useEffect(() => {
    if (listed.length === 0) return;
    // Longer than the window, it would otherwise come to lie with its heading under the bars.
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [listed]);

  const left = listed.filter(({ name }) => errors[name]).length;
  const hasErrors = left > 0;
  // Heard first when the page is read, and seen in the tab.
  useEffect(() => {
    if (!hasErrors) return;
    const title = document.title;
    document.title = `Error: ${title}`;
    return () => {
      document.title = title;
    };
  }, [hasErrors]);

  if (listed.length === 0) return null;

  return (
    <div ref={box} className="error-summary" tabIndex={-1} aria-labelledby={`${id}-errors`} role="group">
      {/* As GOV.UK does it: an alert inside of what takes the focus, so that the one does not cut off the other. */}
      <div role="alert">
        <h2 id={`${id}-errors`} className="error-summary-title">{summaryText(left)}</h2>
        <ul>
          {listed.map(({ name, message }) => (
            <li key={name} data-fixed={!errors[name] || undefined}>
              <a href={`#${id}-${name}`} onClick={(event) => goToField(event, `${id}-${name}`)}>{message}</a>
              {!errors[name] && <span className="hidden-text"> (fixed)</span>}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

export function summaryText(left: number): string {
  if (left === 0) return "All fixed. You can send the form now.";
  return left === 1 ? "Please check one answer" : `Please check ${left} answers`;
}

function goToField(event: MouseEvent, fieldId: string) {
  event.preventDefault();
  const field = document.getElementById(fieldId);
  const control = field?.matches("fieldset") ? field.querySelector<HTMLElement>("input") : field;
  field?.closest(".field")?.scrollIntoView({ block: "center" });
  control?.focus({ preventScroll: true });
}

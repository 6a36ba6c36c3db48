import { useEffect, useRef, type MouseEvent } from "react";
import { useFormState } from "react-hook-form";
import { fieldsOf, type FormRule } from "./form-rules";
import { useFormPlace } from "./form-place";

/** What is wrong, on top of the form, after a try to send it; it takes the focus and leads to the fields. */
export function ErrorSummary({ form, tries }: { form: FormRule; tries: number }) {
  const { id } = useFormPlace();
  const { errors } = useFormState();
  const box = useRef<HTMLDivElement>(null);
  const wrong = fieldsOf(form).filter((field) => errors[field.name]);

  const focusedFor = useRef(0);
  const visible = tries > 0 && wrong.length > 0;

  // The errors may be rendered after the try that found them.
  useEffect(() => {
    if (!visible || focusedFor.current === tries) return;
    focusedFor.current = tries;
    box.current?.focus();
  }, [visible, tries]);

  if (!visible) return null;

  const goTo = (event: MouseEvent, name: string) => {
    event.preventDefault();
    const field = document.getElementById(`${id}-${name}`);
    const control = field?.matches("fieldset") ? field.querySelector<HTMLElement>("input") : field;
    field?.closest(".field")?.scrollIntoView({ block: "center" });
    control?.focus({ preventScroll: true });
  };

  return (
    <div ref={box} className="error-summary" role="alert" tabIndex={-1} aria-labelledby={`${id}-errors`}>
      <h2 id={`${id}-errors`} className="error-summary-title">
        {wrong.length === 1 ? "One answer needs your attention" : `${wrong.length} answers need your attention`}
      </h2>
      <ul>
        {wrong.map(({ name }) => (
          <li key={name}>
            <a href={`#${id}-${name}`} onClick={(event) => goTo(event, name)}>{String(errors[name]?.message)}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

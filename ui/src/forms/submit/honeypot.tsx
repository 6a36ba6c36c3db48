import { useFormContext } from "react-hook-form";

/** A name that password managers ignore and that bots fill in. */
export const honeypotName = "referralNote";

/** A field that people can neither see, hear nor reach by keyboard. Whoever fills it in is not a person. */
export function Honeypot() {
  const { register } = useFormContext();
  return (
    <div className="honeypot" aria-hidden="true">
      <label>
        Leave this empty
        <input
          type="text"
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore=""
          data-lpignore="true"
          data-bwignore="true"
          data-form-type="other"
          {...register(honeypotName)}
        />
      </label>
    </div>
  );
}

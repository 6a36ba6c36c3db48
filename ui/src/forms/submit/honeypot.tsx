import { useFormContext } from "react-hook-form";

/** The name means nothing to a password manager, and something to a script that fills in whatever it finds. */
export const honeypotName = "referralNote";

/** A field that nobody sees, hears or reaches by keyboard. Whatever is written in it was not written by a person. */
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

import type { ComponentProps, MouseEvent } from "react";

interface ButtonProps extends ComponentProps<"button"> {
  look?: ButtonLook;
  /** The task that it started is running. */
  busy?: boolean;
  /** Its label while it is busy. */
  busyLabel?: string;
  /** A press does nothing now. Unlike a disabled button it keeps the focus and is read by screen readers. */
  inactive?: boolean;
}

export function Button({ look = "primary", busy = false, busyLabel, inactive = false, type = "button", className, onClick, children, ...rest }: ButtonProps) {
  const isInactive = busy || inactive;
  return (
    <button {...rest} type={type} className={buttonClass(look, className)} aria-disabled={isInactive || undefined} onClick={isInactive ? ignore : onClick}>
      {busy && busyLabel ? busyLabel : children}
    </button>
  );
}

/** Pressing Enter in a field presses the form's button too, so an inactive button must stop the form from being sent. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
}

/** "plain" is as high as the others, "text" as low as a line of text. */
export type ButtonLook = "primary" | "outline" | "plain" | "text";

/** For a link that looks like the button it acts as. */
export function buttonClass(look: ButtonLook, className = ""): string {
  const base = look === "text" ? "text-button" : `button button-${look}`;
  return className ? `${base} ${className}` : base;
}

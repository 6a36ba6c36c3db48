import type { ComponentProps, MouseEvent } from "react";
import { buttonClass, type ButtonLook } from "./button-class";

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

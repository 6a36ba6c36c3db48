import { useEffect, useId, useRef, useState, type ReactNode, type SyntheticEvent } from "react";

const showDelay = 700;
const skipDelay = 300;

/** When a tooltip was last hidden, on the clock of events: the next one within the skip delay opens at once. */
let lastHidden = Number.NEGATIVE_INFINITY;

interface TooltipProps {
  text: string;
  children: (props: { "aria-describedby": string | undefined }) => ReactNode;
}

/** A short text beside a control, after a pause, on hover or focus; Escape hides it. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The pointer may be on the control while the focus is anywhere.
  useEffect(() => {
    if (!shown) return;
    const hideOnEscape = (event: KeyboardEvent) => event.key === "Escape" && setShown(false);
    document.addEventListener("keydown", hideOnEscape);
    return () => document.removeEventListener("keydown", hideOnEscape);
  }, [shown]);

  const show = ({ timeStamp }: SyntheticEvent) => {
    clearTimeout(timer.current);
    if (timeStamp - lastHidden < skipDelay) setShown(true);
    else timer.current = setTimeout(() => setShown(true), showDelay);
  };
  const hide = ({ timeStamp }: SyntheticEvent) => {
    clearTimeout(timer.current);
    if (shown) lastHidden = timeStamp;
    setShown(false);
  };

  return (
    // It only watches what happens to the control inside.
    <span
      className="tooltip-area"
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      {children({ "aria-describedby": shown ? id : undefined })}
      {shown && <span role="tooltip" id={id} className="tooltip">{text}</span>}
    </span>
  );
}

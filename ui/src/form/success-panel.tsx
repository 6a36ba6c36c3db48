import { useEffect, useRef } from "react";
import { CheckIcon } from "../parts/icons";

interface Props {
  title: string;
  text: string;
  onAgain: () => void;
}

/** What became of the form, in its place. */
export function SuccessPanel({ title, text, onAgain }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <section className="success-panel">
      <CheckIcon className="success-mark" />
      <h2 ref={heading} tabIndex={-1} className="success-title">{title}</h2>
      <p className="lead">{text}</p>
      <p className="soft">We have sent you an email with what you wrote.</p>
      <button type="button" className="button button-plain" onClick={onAgain}>Send another one</button>
    </section>
  );
}

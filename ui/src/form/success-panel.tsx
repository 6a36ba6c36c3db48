import { useEffect, useRef } from "react";
import { LashesLaid } from "./lashes-laid";

interface Props {
  title: string;
  text: string;
  onAgain: () => void;
}

const complete = Array.from({ length: 12 }, () => true);

/** What became of the form, in its place. */
export function SuccessPanel({ title, text, onAgain }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <section className="success-panel">
      <LashesLaid laid={complete} />
      <h2 ref={heading} tabIndex={-1} className="success-title">{title}</h2>
      <p className="lead">{text}</p>
      <p className="soft">A confirmation with what you wrote is on its way to your inbox.</p>
      <button type="button" className="button button-plain" onClick={onAgain}>Send another one</button>
    </section>
  );
}

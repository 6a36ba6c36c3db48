import { useEffect, useRef, useState } from "react";
import type { FaqSection } from "../../lib/content-types";
import { Paragraphs } from "../../kit/paragraphs";

/** A section of questions under a heading that opens it. */
export function Fold({ section }: { section: FaqSection }) {
  const [open, setOpen] = useState(false);
  const id = `${section.id}-answers`;
  const body = useRef<HTMLDivElement>(null);
  const fragment = `#${section.id}`;

  // A link to the section opens it.
  useEffect(() => {
    const openLinked = () => location.hash === fragment && setOpen(true);
    openLinked();
    addEventListener("hashchange", openLinked);
    return () => removeEventListener("hashchange", openLinked);
  }, [fragment]);

  // The browser's own search finds what is closed, and opens it. React knows `hidden` only as yes or no.
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    if (open) element.removeAttribute("hidden");
    else element.setAttribute("hidden", "until-found");
    const openFound = () => setOpen(true);
    element.addEventListener("beforematch", openFound);
    return () => element.removeEventListener("beforematch", openFound);
  }, [open]);

  return (
    <section className="fold" id={section.id}>
      <h2>
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {section.title} <span className="fold-sign" aria-hidden="true" />
        </button>
      </h2>
      <div ref={body} id={id} className={open ? "fold-body is-open" : "fold-body"}>
        {section.items.map(({ question, answer }) => (
          <div key={question} className="question">
            <h3>{question}</h3>
            <Paragraphs text={answer} />
          </div>
        ))}
      </div>
    </section>
  );
}

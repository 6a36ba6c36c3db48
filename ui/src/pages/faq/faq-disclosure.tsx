import { useEffect, useRef, useState } from "react";
import type { FaqSection } from "../../lib/content-types";
import { Paragraphs } from "../../kit/paragraphs";

/** A section of questions under a heading that opens it. */
export function FaqDisclosure({ section }: { section: FaqSection }) {
  const [open, setOpen] = useState(false);
  const id = `${section.id}-answers`;
  const body = useRef<HTMLDivElement>(null);
  const fragment = `#${section.id}`;

  // A link to the section opens it, and so does a search in the page.
  useEffect(() => {
    const show = () => setOpen(true);
    const openLinked = () => location.hash === fragment && show();
    openLinked();
    addEventListener("hashchange", openLinked);
    body.current?.addEventListener("beforematch", show);
    return () => removeEventListener("hashchange", openLinked);
  }, [fragment]);

  // React's `hidden` is a boolean, so "until-found" is set here.
  useEffect(() => {
    if (open) body.current?.removeAttribute("hidden");
    else body.current?.setAttribute("hidden", "until-found");
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

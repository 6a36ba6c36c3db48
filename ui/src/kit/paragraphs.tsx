import type { LegalText } from "../lib/content-types";
import { versionDate } from "../lib/dates";

/** A text in which blank lines separate the paragraphs. */
export function Paragraphs({ text, className }: { text: string; className?: string }) {
  return text.split(/\n\s*\n/).map((paragraph, index) => <p key={index} className={className}>{paragraph}</p>);
}

/** A text that is agreed to on a form, below its title. */
export function Agreement({ text }: { text: Omit<LegalText, "sample"> }) {
  return (
    <>
      <Paragraphs text={text.introduction} />
      {text.sections.map((section) => (
        <section key={section.title} className="legal-section">
          <h3>{section.title}</h3>
          <Paragraphs text={section.text} />
        </section>
      ))}
      {text.bindingNote && <p className="legal-binding">{text.bindingNote}</p>}
      <p className="legal-version">Version of {versionDate(text.version)}</p>
    </>
  );
}

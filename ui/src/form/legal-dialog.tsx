import { versionDate } from "../parts/clock";
import { Dialog } from "../parts/dialog";
import type { LegalDocument } from "./legal-document";

/** A legal text to read without leaving the form. */
export function LegalDialog({ document, onClose }: { document: LegalDocument; onClose: () => void }) {
  return (
    <Dialog title={document.title} onClose={onClose}>
      <Paragraphs text={document.introduction} />
      {document.sections.map((section) => (
        <section key={section.title} className="legal-section">
          <h3>{section.title}</h3>
          <Paragraphs text={section.text} />
        </section>
      ))}
      {document.bindingNote && <p className="legal-binding">{document.bindingNote}</p>}
      <p className="legal-version">Version of {versionDate(document.version)}</p>
    </Dialog>
  );
}

function Paragraphs({ text }: { text: string }) {
  return text.split(/\n\s*\n/).map((paragraph) => <p key={paragraph}>{paragraph}</p>);
}

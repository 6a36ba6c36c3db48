import { Agreement } from "../../kit/agreement";
import { Dialog } from "../../kit/dialog";
import type { LegalDocument } from "../legal-document";

/** A legal text to read without leaving the form. */
export function LegalDialog({ document, onClose }: { document: LegalDocument; onClose: () => void }) {
  return (
    <Dialog title={document.title} onClose={onClose}>
      <Agreement text={document} />
    </Dialog>
  );
}

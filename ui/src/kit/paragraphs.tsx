/** A text in which blank lines separate the paragraphs. */
export function Paragraphs({ text, className }: { text: string; className?: string }) {
  return text.split(/\n\s*\n/).map((paragraph, index) => <p key={index} className={className}>{paragraph}</p>);
}

export function PrintButton({ label }: { label: string }) {
  return <button type="button" className="button button-outline needs-script" onClick={() => window.print()}>{label}</button>;
}

/** 12345 as "12,345". */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** 1536 as "2 KB". */
export function formatBytes(bytes: number): string {
  if (bytes >= 1_000_000_000) return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** "$1,099.50" as 109950; undefined if the text is not a dollar amount. A comma only separates thousands, so "10,50" is none. */
export function centsOf(text: string): number | undefined {
  const typed = text.replace(/[$\s]/g, "");
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(typed)) return undefined;
  return Math.round(Number(typed.replaceAll(",", "")) * 100);
}

/** "$1,099.50" as 109950; undefined for what is not an amount of dollars. */
export function centsOf(text: string): number | undefined {
  const typed = text.replace(/[$,\s]/g, "");
  return /^\d+(\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : undefined;
}

/** "$1,099.50" as 109950; undefined if the text is not a dollar amount. A comma only separates thousands, so "10,50" is none. */
export function centsOf(text: string): number | undefined {
  const typed = text.replace(/[$\s]/g, "");
  if (!/^(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(typed)) return undefined;
  return Math.round(Number(typed.replaceAll(",", "")) * 100);
}

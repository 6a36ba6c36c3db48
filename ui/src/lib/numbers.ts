/** "+1.25" or "−1.25", as people write them, and "0.00" without a sign. */
export function signed(points: string): string {
  if (Number(points) === 0) return points.replace("-", "");
  return points.startsWith("-") ? `\u2212${points.slice(1)}` : `+${points}`;
}

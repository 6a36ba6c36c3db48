/** Cents as dollars with two decimals: 44900 is "$449.00". */
export function dollars(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = (Math.abs(cents) % 100).toString().padStart(2, "0");
  return `${cents < 0 ? "-" : ""}$${whole}.${rest}`;
}

/** Like `dollars`, but without ".00": 44900 is "$449". For headlines and buttons. */
export function shortDollars(cents: number): string {
  return dollars(cents).replace(/\.00$/, "");
}

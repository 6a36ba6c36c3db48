import { centsOf } from "../registrations/cents";
import type { Value } from "./fields/field";

export const dollarsText = (stored: Value | undefined): string => (typeof stored === "number" ? (stored / 100).toFixed(2) : "");
export const percentText = (stored: Value | undefined): string => (typeof stored === "number" ? String(stored / 100) : "");
export const plainText = (stored: Value | undefined): string => (stored === null || stored === undefined ? "" : String(stored));

/** "449", "$449.50": cents within the limits. */
export function centsIn(typed: string, least: number, most: number): number | undefined {
  return within(centsOf(typed.trim()), least, most);
}

/** "6.25" or "6.25 %" as 625. */
export function basisPointsIn(typed: string, least: number, most: number): number | undefined {
  const text = typed.replace(/[%\s]/g, "");
  return /^\d+(\.\d{1,2})?$/.test(text) ? within(Math.round(Number(text) * 100), least, most) : undefined;
}

export function integerIn(typed: string, least: number, most: number): number | undefined {
  return /^\d{1,9}$/.test(typed.trim()) ? within(Number(typed), least, most) : undefined;
}

function within(value: number | undefined, least: number, most: number): number | undefined {
  return value !== undefined && value >= least && value <= most ? value : undefined;
}

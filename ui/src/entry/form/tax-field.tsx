import { useCallback, useEffect, useRef, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { loadDraft } from "../../forms/draft";
import { FormField } from "../../forms/fields/form-field";
import type { FieldRule } from "../../forms/rules/form-rules";
import { useFormPlace } from "../../forms/form-place";
import type { Values } from "../../forms/rules/rules";

/** Milliseconds without typing before the location is evaluated, so that the price does not jump between states. */
const pause = 300;

/** The tax location, which follows the typed location until somebody chooses one by hand. */
export function TaxField({ field }: { field: FieldRule }) {
  const { id } = useFormPlace();
  const { getValues, setValue } = useFormContext<Values>();
  const [location, taxLocation] = useWatch({ name: ["location", field.name] }) as (string | undefined)[];
  const usual = String(field.default);
  const [offered] = useState(() => field.options?.map(({ value }) => value) ?? []);
  const isOwn = useRef(false);
  const applied = useRef(usual);
  const suggested = suggestedTaxLocation(location ?? "", offered);
  const labelOf = (value: string | undefined) => field.options?.find((option) => option.value === value)?.label;

  const follow = useCallback(() => {
    const chosen = String(getValues(field.name));
    if (chosen !== applied.current) isOwn.current = true;
    if (isOwn.current) return;
    applied.current = suggestedTaxLocation(String(getValues("location") ?? ""), offered) ?? usual;
    if (applied.current !== chosen) setValue(field.name, applied.current, { shouldDirty: true });
  }, [field.name, getValues, offered, setValue, usual]);

  useEffect(() => {
    const kept = loadDraft("competition-entries")?.values;
    if (kept?.location === undefined) return;
    const before = { location: String(kept.location), taxLocation: String(kept[field.name] ?? usual) };
    isOwn.current = isOwnChoice(before, offered, usual);
    if (!isOwn.current) applied.current = before.taxLocation;
  }, [field.name, offered, usual]);

  useEffect(() => {
    const timer = setTimeout(follow, pause);
    return () => clearTimeout(timer);
  }, [follow, location, taxLocation]);

  // Pressing Enter right after typing must send the tax of the typed location, not of the previous one.
  useEffect(() => {
    const form = document.getElementById(`${id}-${field.name}`)?.closest("form");
    const input = document.getElementById(`${id}-location`);
    form?.addEventListener("submit", follow, { capture: true });
    input?.addEventListener("blur", follow);
    return () => {
      form?.removeEventListener("submit", follow, { capture: true });
      input?.removeEventListener("blur", follow);
    };
  }, [field.name, follow, id]);

  const change = () => {
    const select = document.getElementById(`${id}-${field.name}`);
    select?.focus();
    if (select instanceof HTMLSelectElement && "showPicker" in select) select.showPicker();
  };

  return (
    <>
      <FormField field={field} />
      <p className="tax-source field-hint" role="status">
        {suggested && suggested === taxLocation && <>{labelOf(suggested)}, from your location. <button type="button" className="read-link" onClick={change}>Change</button></>}
        {isAbroad(location ?? "") && "The tax is that of the state where your business is registered in the US; outside the US, choose “Other”."}
        {taxMismatch(location ?? "", taxLocation ?? "", field.options ?? [])}
      </p>
    </>
  );
}

/**
 * The state that a typed location names. The tax table's values are the names in lowercase with hyphens; a state that
 * the table lacks is taxed as `other`.
 */
const states: Record<string, string> = {
  al: "Alabama", ak: "Alaska", az: "Arizona", ar: "Arkansas", ca: "California", co: "Colorado", ct: "Connecticut", de: "Delaware",
  dc: "District of Columbia", fl: "Florida", ga: "Georgia", hi: "Hawaii", id: "Idaho", il: "Illinois", in: "Indiana", ia: "Iowa",
  ks: "Kansas", ky: "Kentucky", la: "Louisiana", me: "Maine", md: "Maryland", ma: "Massachusetts", mi: "Michigan", mn: "Minnesota",
  ms: "Mississippi", mo: "Missouri", mt: "Montana", ne: "Nebraska", nv: "Nevada", nh: "New Hampshire", nj: "New Jersey",
  nm: "New Mexico", ny: "New York", nc: "North Carolina", nd: "North Dakota", oh: "Ohio", ok: "Oklahoma", or: "Oregon",
  pa: "Pennsylvania", ri: "Rhode Island", sc: "South Carolina", sd: "South Dakota", tn: "Tennessee", tx: "Texas", ut: "Utah",
  vt: "Vermont", va: "Virginia", wa: "Washington", wv: "West Virginia", wi: "Wisconsin", wy: "Wyoming",
};

/** Cities that people name without a state. A city whose name is also well known elsewhere is left out. */
const cities: Record<string, string> = {
  ny: "New York City|NYC|Manhattan|Brooklyn|Queens|Bronx|The Bronx|Staten Island|Long Island|Buffalo|Yonkers|Albany",
  nj: "Jersey City|Newark|Hoboken|Paterson|Trenton|Atlantic City|Fort Lee|Weehawken",
  ct: "Hartford|New Haven|Stamford|Bridgeport",
  ca: "Los Angeles|San Francisco|San Diego|Sacramento|Oakland|Long Beach|Fresno|Anaheim|Irvine|Beverly Hills",
  fl: "Miami|Miami Beach|Orlando|Tampa|Jacksonville|Fort Lauderdale|Boca Raton|West Palm Beach|Tallahassee",
  tx: "Houston|Dallas|Austin|San Antonio|Fort Worth|El Paso",
  pa: "Philadelphia|Philly|Pittsburgh",
  ma: "Boston",
  il: "Chicago",
  va: "Virginia Beach",
  md: "Baltimore|Bethesda|Silver Spring",
  wa: "Seattle|Spokane|Tacoma|Washington State",
};

const country = / *,? *\b(?:usa|us|united states(?: of america)?)$/;
const zip = / *,? *\b\d{5}(?:-\d{4})?$/;
const byName = new Map(Object.values(states).map((name) => [name.toLowerCase(), name]));
const byCity = new Map(Object.entries(cities).flatMap(([code, names]) => names.split("|").map((city) => [city.toLowerCase(), states[code]!])));

/** The value of the tax table for a typed location, or nothing where it names no state. */
export function suggestedTaxLocation(location: string, offered: readonly string[]): string | undefined {
  const state = stateOf(location);
  if (!state) return undefined;
  const value = state.toLowerCase().replaceAll(" ", "-");
  return [value, "other"].find((candidate) => offered.includes(candidate));
}

/** The note for a location that names another place than the tax is for; undefined if they agree. */
export function taxMismatch(location: string, taxLocation: string, locations: readonly { value: string; label: string }[]): string | undefined {
  const suggested = suggestedTaxLocation(location, locations.map(({ value }) => value));
  if (!suggested || suggested === taxLocation) return undefined;
  const placeOf = (wanted: string) => {
    const label = locations.find(({ value }) => value === wanted)?.label ?? "Other";
    return label === "Other" ? "another state" : label;
  };
  return `Your location names ${placeOf(suggested)}; the tax is for ${placeOf(taxLocation)}.`;
}

/** Countries that people name, and the Canadian provinces; the list needs not be complete, since it only adds a hint. */
const abroad = /\b(?:canada|ontario|quebec|alberta|mexico|uk|united kingdom|england|scotland|ireland|france|germany|italy|spain|portugal|poland|ukraine|netherlands|belgium|sweden|norway|denmark|greece|turkey|israel|uae|dubai|india|china|japan|korea|philippines|vietnam|australia|new zealand|brazil|argentina|colombia|chile|peru|dominican republic|jamaica|bahamas)$/;

/** Whether a typed location ends with a country other than the US. */
export function isAbroad(location: string): boolean {
  return stateOf(location) === undefined && abroad.test(location.toLowerCase().replaceAll(".", "").trim());
}

function stateOf(location: string): string | undefined {
  const text = location.toLowerCase().replaceAll(".", "").replace(/\s+/g, " ").trim();
  const parts = text.replace(country, "").replace(zip, "").split(",").map((part) => part.trim()).filter(Boolean);
  const last = parts.at(-1) ?? "";
  // By themselves, these are the capital as often as the state, and Los Angeles as often as Louisiana.
  if (parts.length === 1 && (last === "washington" || last === "la")) return undefined;
  const named = byName.get(last) ?? byCity.get(last) ?? (parts.length > 1 || /^[A-Z]{2}$/.test(location.trim()) ? states[last] : undefined);
  if (named) return named;
  return parts.length === 1 || byCity.has(parts[0]!) ? stateAtEnd(last) : undefined;
}

/** "Miami FL", "Austin Texas": the state behind a city. Towns are called "Port Washington", so that one needs a comma. */
function stateAtEnd(text: string): string | undefined {
  const words = text.split(" ");
  for (const count of [3, 2, 1]) {
    if (words.length <= count) continue;
    const end = words.slice(-count).join(" ");
    const name = byName.get(end) ?? (count === 1 ? states[end] : undefined);
    if (name && end !== "washington") return name;
  }
  return undefined;
}

/** Whether the state in a restored draft was chosen by hand, which is the case if the location would suggest another one. */
export function isOwnChoice(kept: { location: string; taxLocation: string }, offered: readonly string[], usual: string): boolean {
  return kept.taxLocation !== (suggestedTaxLocation(kept.location, offered) ?? usual);
}

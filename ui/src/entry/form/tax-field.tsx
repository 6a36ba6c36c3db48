import { useCallback, useEffect, useRef, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { loadDraft } from "../../forms/draft/draft";
import { FormField } from "../../forms/fields/form-field";
import type { FieldRule } from "../../forms/rules/form-rules";
import { useFormPlace } from "../../forms/form-place";
import type { Values } from "../../forms/rules/rules";
import { isAbroad, isOwnChoice, suggestedTaxLocation, taxMismatch } from "./tax-suggestion";

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

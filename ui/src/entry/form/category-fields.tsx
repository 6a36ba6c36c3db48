import { useController, useFormContext, useFormState, useWatch } from "react-hook-form";
import type { Category } from "../../lib/content-types";
import { categoryPairs, choicesFor, noCategories, withCategory, withCount, type CategoryName, type EntryCategories, type SubcategoryName } from "./entry-categories";
import { Radio } from "../../kit/checkbox";
import { Options, SelectBox } from "../../kit/select";
import { FieldFrame, useFieldFrame } from "../../forms/fields/field-frame";
import { fieldOf, type FieldRule, type FormRule } from "../../forms/rules/form-rules";
import type { Values } from "../../forms/rules/rules";
import { useHydrated } from "../../forms/submit/hydration";
import { dollars } from "../../lib/money";
import type { EntryData } from "../entry-data.server";

const names = Object.keys(noCategories) as (keyof EntryCategories)[];

/** What is entered: the categories, and how they exclude one another. */
export function CategoryFields({ data }: { data: EntryData }) {
  const { values, change } = useEntryCategories();
  const shown = categoryPairs.slice(0, values.additionalCategories + 1);
  return (
    <>
      <Pair form={data.form} index={0} values={values} change={change} categories={data.categories} />
      <CountField data={data} count={values.additionalCategories} onChange={(count) => change(withCount(values, count))} />
      {shown.slice(1).map(({ category }, index) => (
        <div key={category} className="entry-extra" role="group" aria-labelledby={`${category}-title`}>
          <h3 id={`${category}-title`} className="entry-extra-title">Additional category #{index + 1}</h3>
          <Pair form={data.form} index={index + 1} values={values} change={change} categories={data.categories} />
        </div>
      ))}
    </>
  );
}

/** The categories as they are chosen now, and a way to change several at once. */
export function useEntryCategories() {
  const { getValues, setValue, trigger } = useFormContext<Values>();
  const { submitCount } = useFormState();
  const watched = useWatch({ name: names }) as unknown[];
  const values = Object.fromEntries(names.map((name, index) => [name, watched[index] ?? noCategories[name]])) as unknown as EntryCategories;
  const change = (next: EntryCategories) => {
    for (const name of names.filter((name) => getValues(name) !== next[name])) {
      // Before the first attempt to send, a subcategory that is not chosen yet is not an error.
      setValue(name, next[name], { shouldDirty: true, shouldValidate: next[name] !== "" });
    }
    // Afterwards, changing one field may fix another, as choosing fewer additional categories does.
    if (submitCount > 0) void trigger(names);
  };
  return { values, change };
}

interface PairProps {
  form: FormRule;
  index: number;
  values: EntryCategories;
  change: (next: EntryCategories) => void;
  categories: Category[];
}

/** A category and its subcategory. */
function Pair({ form, index, values, change, categories }: PairProps) {
  const { category, sub } = categoryPairs[index]!;
  const chosen = categories.find(({ slug }) => slug === values[category]);
  return (
    <div className="entry-pair">
      <Select
        rule={fieldOf(form, category)}
        name={category}
        value={values[category]}
        options={choicesFor(category, values, categories).map(({ slug, label }) => ({ value: slug, label }))}
        onChange={(value) => change(withCategory(values, category, value))}
      />
      <Select
        rule={fieldOf(form, sub)}
        name={sub}
        value={values[sub]}
        options={(chosen?.subcategories ?? []).map((name) => ({ value: name, label: name }))}
        disabled={!chosen}
        onChange={(value) => change({ ...values, [sub]: value })}
      />
    </div>
  );
}

interface SelectProps {
  rule: FieldRule;
  name: CategoryName | SubcategoryName;
  value: string;
  options: { value: string; label: string }[];
  disabled?: boolean;
  onChange: (value: string) => void;
}

function Select({ rule, name, value, options, disabled = false, onChange }: SelectProps) {
  const { field: { ref, onBlur } } = useController({ name });
  const field: FieldRule = { ...rule, required: true };
  const frame = useFieldFrame(field);
  const hydrated = useHydrated();
  return (
    <FieldFrame field={field} frame={frame}>
      <SelectBox
        id={frame.inputId} {...frame.aria} ref={ref} name={name} onBlur={onBlur}
        value={value} disabled={disabled || !hydrated} onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{disabled ? "Choose a category first" : "Please select"}</option>
        <Options options={options} />
      </SelectBox>
    </FieldFrame>
  );
}

/** The number of additional categories, and their price. */
function CountField({ data, count, onChange }: { data: EntryData; count: number; onChange: (count: number) => void }) {
  const field = fieldOf(data.form, "additionalCategories");
  const frame = useFieldFrame(field);
  const hydrated = useHydrated();
  const choices = [{ title: "None", text: "" }, ...data.addOns].slice(0, data.pricing.additionalCategoriesCents.length + 1);
  return (
    <FieldFrame field={field} frame={frame} group>
      <div className="entry-counts">
        {choices.map(({ title, text }, index) => {
          const cents = data.pricing.additionalCategoriesCents[index - 1];
          return (
            <Radio
              key={title} name={frame.inputId} value={index} checked={index === count} disabled={!hydrated} onChange={() => onChange(index)}
              label={<>{title}{cents !== undefined && <strong className="figures"> +{dollars(cents)}</strong>}{text && <span className="entry-count-note">{text}</span>}</>}
            />
          );
        })}
      </div>
    </FieldFrame>
  );
}

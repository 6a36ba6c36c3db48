import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Radio } from "./checkbox";
import { LongTextField, FieldGroup } from "./field";
import { optionsOf, Select } from "./select";

/** The attribute of the first element of this kind. */
const attribute = (html: string, element: string, name: string) => new RegExp(`<${element}[^>]*\\s${name}="([^"]*)"`).exec(html)?.[1];

it("describes the control with its hint and its error", () => {
  const html = renderToStaticMarkup(<LongTextField label="Reason" hint="For colleagues" error="Please say why." rows={2} />);
  const ids = attribute(html, "textarea", "aria-describedby")?.split(" ") ?? [];
  expect(ids.map((id) => new RegExp(`id="${id}"[^>]*>(?:<span[^>]*>Error: </span>)?([^<]*)`).exec(html)?.[1])).toEqual(["For colleagues", "Please say why."]);
  expect(attribute(html, "textarea", "aria-invalid")).toBe("true");
});

it("lists options, also in groups", () => {
  const html = renderToStaticMarkup(<Select label="Status" defaultValue="" options={[{ value: "", label: "All" }, { label: "Payment", options: optionsOf({ paid: "Paid" }) }]} />);
  expect(html).toContain('<option value="" selected="">All</option><optgroup label="Payment"><option value="paid">Paid</option></optgroup>');
});

it("names a group of controls by its legend, and describes it as a whole", () => {
  const html = renderToStaticMarkup(<FieldGroup id="days" label="Days" hint="One or both" error="Please choose a day."><Radio label="Day 1" name="day" /></FieldGroup>);
  expect([attribute(html, "fieldset", "id"), attribute(html, "fieldset", "aria-describedby")]).toEqual(["days", "days-hint days-error"]);
  expect(html).toContain('<legend class="field-label">Days</legend>');
  expect(html).toContain('<label class="tick"><input type="radio" name="day"/><span>Day 1</span></label>');
});

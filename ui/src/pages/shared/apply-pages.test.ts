import { createElement } from "react";
import { renderToString } from "react-dom/server.edge";
import { describe, expect, it } from "vitest";
import { pageOf } from "../../../test/page-of";
import { sampleInput } from "../../../test/sample-input";
import type { Kind } from "../../lib/answer-types";
import { ShellContext, type Shell } from "../../lib/shell-context";
import { RegistrationForm } from "../../forms/registration-form";
import { fieldsOf } from "../../forms/rules/form-rules";
import { formOf } from "../../forms/rules/form-table";

const texts = { submitLabel: "Send", successTitle: "Sent", successText: "Thank you.", steps: [] };

const speaker = await pageOf("apply-speaker");
const judge = await pageOf("apply-judge");
const sponsor = await pageOf("apply-sponsor");
const demo = await pageOf("apply-professional-demo");

const pages: [Kind, () => string][] = [
  ["speaker-applications", () => rendered(createElement(speaker.View, { data: speaker.data(sampleInput) }))],
  ["judge-applications", () => rendered(createElement(judge.View, { data: judge.data(sampleInput) }))],
  ["sponsor-applications", () => rendered(createElement(sponsor.View, { data: sponsor.data(sampleInput) }))],
  ["professional-demo-registrations", () => rendered(createElement(demo.View, { data: demo.data(sampleInput) }))],
  ["waitlist-signups", () => rendered(createElement(RegistrationForm, { form: formOf("waitlist-signups"), texts }))],
  ["sponsor-inquiries", () => rendered(createElement(RegistrationForm, { form: formOf("sponsor-inquiries"), texts }))],
];

describe.each(pages)("the form of %s without script", (kind, html) => {
  const page = html();

  it("shows every field once, with its label and its hint", () => {
    for (const field of fieldsOf(formOf(kind))) {
      expect(page.split(`id="${kind}-${field.name}"`)).toHaveLength(2);
      expect(page).toContain(escaped(field.label));
      if (field.hint) expect(page).toContain(`id="${kind}-${field.name}-hint"`);
      for (const option of field.options ?? []) expect(page).toContain(escaped(option.label));
    }
  });

  it("has no inline style and hides nothing but the trap", () => {
    expect(page).not.toMatch(/ style=| hidden(=|>)/);
    expect(page.match(/class="honeypot"/g)).toHaveLength(1);
  });
});

it("says why and until when a form is closed, in place of the form", () => {
  const openings = { ...sampleInput.site.openings, "waitlist-signups": { open: false, message: "Back on May 1." } };
  const page = rendered(createElement(RegistrationForm, { form: formOf("waitlist-signups"), texts }), openings);
  expect(page).toContain("Back on May 1.");
  expect(page).not.toContain("<form");
});

function rendered(element: React.ReactElement, openings = sampleInput.site.openings): string {
  const shell = { email: "hello@example.com", openings, closedPaths: [] as string[] } as Shell;
  return renderToString(createElement(ShellContext, { value: shell }, element));
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/'/g, "&#x27;");
}

import { createElement } from "react";
import { renderToString } from "react-dom/server.edge";
import { expect, it } from "vitest";
import { Router } from "wouter";
import { sampleInput } from "../../test/sample-input";
import type { SiteFacts } from "../lib/answer-types";
import { ShellContext } from "../lib/shell-context";
import { shellOf } from "../app/shell-data";
import { Entry } from "./entry";
import { entryData } from "./entry-data.server";

const entries = "competition-entries";

function rendered(facts: Partial<SiteFacts>): string {
  const input = { ...sampleInput, site: { ...sampleInput.site, ...facts } };
  const page = createElement(ShellContext, { value: shellOf(input) }, createElement(Entry, { data: entryData(input) }));
  return renderToString(createElement(Router, { ssrPath: "/enter-competition", children: page }));
}

it("renders the whole form on the server if payments are open", () => {
  for (const payments of ["demo", "stripe"] as const) {
    const html = rendered({ payments });
    for (const section of ["Personal Information", "Categories", "Portfolio", "Agreements"]) expect(html).toContain(section);
    expect(html).toContain("Complete Form to Continue");
    expect(html).not.toContain("entry-closed");
  }
});

it("says that payment is not open yet and offers the waitlist", () => {
  const html = rendered({ payments: "off" });
  expect(html).toContain("Online payment is not open yet.");
  expect(html).toContain('href="/#waitlist"');
  expect(html).not.toContain("<form");
});

it("shows the organiser's message when entries are closed", () => {
  const openings = { ...sampleInput.site.openings, [entries]: { open: false, message: "Entries closed on March 1." } };
  const html = rendered({ payments: "stripe", openings });
  expect(html).toContain("Entries closed on March 1.");
  expect(html).toContain('href="/#waitlist"');
  expect(html).not.toContain("<form");
});

it("does not link to a closed waitlist", () => {
  const openings = { ...sampleInput.site.openings, "waitlist-signups": { open: false, message: "Full." } };
  expect(rendered({ payments: "off", openings })).not.toContain("#waitlist");
});

it("shows today's price", () => {
  expect(rendered({ payments: "stripe", participantFeeCents: 74900 })).toContain("$749");
});

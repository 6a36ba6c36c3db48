import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ApiError } from "../lib/api-error";
import { Loaded } from "./loaded";

const busy = new ApiError(503, "", JSON.stringify({ detail: "The database is busy." }));
const shown = (read: { data?: string[]; error?: unknown }, more: object = {}) => renderToStaticMarkup(
  <Loaded of={{ data: read.data, error: read.error, mutate: () => {} }} loading="Loading the people…" failed="The people could not be loaded." isEmpty={(names) => names.length === 0} empty={<p>Nobody yet.</p>} {...more}>
    {(names) => <p>{names.join(", ")}</p>}
  </Loaded>,
);

it("shows one state at a time: loading, empty, loaded", () => {
  expect(shown({})).toBe('<p class="loading">Loading the people…</p>');
  expect(shown({}, { loading: undefined })).toBe("");
  expect(shown({ data: [] })).toBe("<p>Nobody yet.</p>");
  expect(shown({ data: ["Ada"] })).toBe("<p>Ada</p>");
});

it("says what failed and why, with a way to try again, in place of what may be stale", () => {
  const html = shown({ data: ["Ada"], error: busy });
  expect(html).toContain('role="alert"><p>The people could not be loaded. The database is busy.</p>');
  expect(html).toContain("Try again");
  expect(html).not.toContain("Ada");
  expect(shown({ data: ["Ada"], error: busy }, { keepsData: true })).toContain("</div><p>Ada</p>");
});

it("shows something else for a failure that is an answer", () => {
  expect(shown({ error: new ApiError(404, "", "") }, { missing: <p>There is no such list.</p> })).toBe("<p>There is no such list.</p>");
  expect(shown({ error: busy }, { missing: <p>There is no such list.</p> })).toContain("Try again");
});

import { expect, it } from "vitest";
import { embeddedJson, escapeHtml } from "./document";

it("shows markup in content as text", () => {
  expect(escapeHtml(`<b>"Lash" & brow</b>`)).toBe("&lt;b&gt;&quot;Lash&quot; &amp; brow&lt;/b&gt;");
});

it("writes JSON that cannot end its script element", () => {
  const text = embeddedJson({ title: "</script><script>alert(1)</script>" });
  expect(text).not.toContain("<");
  expect(JSON.parse(text)).toEqual({ title: "</script><script>alert(1)</script>" });
});

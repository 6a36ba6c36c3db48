import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Dialog } from "./dialog";

it("is named by its title, can be scrolled by keyboard, and ends with the button that closes it", () => {
  const html = renderToStaticMarkup(<Dialog title="Terms" eyebrow="Entry" closeLabel="Cancel" actions={<b>Send</b>} onClose={() => {}}>Text</Dialog>);
  const id = /<h2 id="([^"]+)"/.exec(html)?.[1];
  expect(html).toContain(`<dialog class="dialog" aria-labelledby="${id}">`);
  expect(html).toContain('<p class="eyebrow">Entry</p>');
  expect(html).toContain(`role="region" aria-labelledby="${id}" tabindex="0">Text</div>`);
  expect(html).toMatch(/<b>Send<\/b><button type="button" class="button button-outline">Cancel<\/button><\/footer>/);
});

it("is small for a short question", () => {
  expect(renderToStaticMarkup(<Dialog small title="Sure?" onClose={() => {}}>Text</Dialog>)).toContain('class="dialog dialog-small"');
});

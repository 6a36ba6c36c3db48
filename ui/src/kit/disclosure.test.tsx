import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Disclosure } from "./disclosure";

it("is closed unless it is asked to be open", () => {
  expect(renderToStaticMarkup(<Disclosure summary="More">Text</Disclosure>)).toBe('<details class="disclosure"><summary>More</summary><div class="disclosure-body">Text</div></details>');
  expect(renderToStaticMarkup(<Disclosure summary="More" open>Text</Disclosure>)).toContain('<details class="disclosure" open="">');
});

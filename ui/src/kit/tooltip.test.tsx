import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Tooltip } from "./tooltip";

it("shows and describes nothing before anybody comes near", () => {
  expect(renderToStaticMarkup(<Tooltip text="Chat with us">{(described) => <button type="button" {...described}>Chat</button>}</Tooltip>))
    .toBe('<span class="tooltip-area"><button type="button">Chat</button></span>');
});

import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Photo } from "./photo";

const image = { srcSet: "/images/a-480.jpg 480w", src: "/images/a-480.jpg", width: 480, height: 320 };

it("shows a picture in its sizes, around the point that matters", () => {
  expect(renderToStaticMarkup(<Photo image={{ ...image, alt: "stored", focus: { x: 70, y: 8 } }} sizes="100vw" alt="Ana" />))
    .toBe('<img class="picture focus-x-75 focus-y-0" sizes="100vw" srcSet="/images/a-480.jpg 480w" src="/images/a-480.jpg" width="480" height="320" alt="Ana"/>');
  expect(renderToStaticMarkup(<Photo image={{ ...image, focus: { x: 50, y: 50 } }} className="hero-image" sizes="100vw" alt="" />)).toContain('class="hero-image"');
});

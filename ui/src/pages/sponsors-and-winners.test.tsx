import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PastWinners } from "./about/page.server";
import { Moments } from "./home/recognition";
import { Logos } from "./sponsors/page.server";

const image = { srcSet: "/images/a-480.jpg 480w", src: "/images/a-480.jpg", width: 480, height: 320, alt: "stored", "data-focus": "25-75" };

it("shows sponsors by tier, with a logo or a name, and nothing while there is none", () => {
  expect(renderToStaticMarkup(<Logos logosTitle="Our sponsors" logos={[]} />)).toBe("");
  const shown = renderToStaticMarkup(<Logos logosTitle="Our sponsors" logos={[
    { sample: false, name: "Fine Trays", tier: "Gold", url: "https://trays.example", image },
    { sample: false, name: "Soft Silk", tier: "Silver", url: "", image: "" },
    { sample: false, name: "Glue & Co", tier: "Gold", url: "", image: "" },
  ]} />);
  expect(shown.match(/<h3[^>]*>(\w+)/g)).toHaveLength(2);
  expect(shown).toMatch(/href="https:\/\/trays\.example"[^>]*><img[^>]*srcSet="\/images\/a-480\.jpg 480w"[^>]*alt="Fine Trays"/i);
  expect(shown.indexOf("Glue &amp; Co")).toBeLessThan(shown.indexOf("Soft Silk"));
});

it("shows the photos of the event with their captions and focal points", () => {
  expect(renderToStaticMarkup(<Moments galleryTitle="Moments" gallery={[]} />)).toBe("");
  const shown = renderToStaticMarkup(<Moments galleryTitle="Moments" gallery={[{ image, alt: "The stage", caption: "Awards" }]} />);
  expect(shown).toContain('alt="The stage"');
  expect(shown).toContain('data-focus="25-75"');
  expect(shown).toContain("<figcaption>Awards</figcaption>");
});

it("keeps the winners of former editions", () => {
  expect(renderToStaticMarkup(<PastWinners past={[]} />)).toBe("");
  expect(renderToStaticMarkup(<PastWinners past={[{ title: "Showcase 2026", dates: "March 28-29, 2026", winners: [{ award: "Lash Lift", name: "Ana Lima", business: "" }] }]} />)).toContain("Ana Lima");
});

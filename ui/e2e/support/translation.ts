import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Text as a translation shows it: not the same, but with the original in it. */
const opening = "⟦", closing = "⟧";

/**
 * What the translation of Chromium does to a page, from the end of its HTML on: every text node goes, also those that come later, and
 * two nested font elements with the translated text take its place. `wraps`: the text node itself goes into the elements.
 */
export async function translate(page: Page, { wraps = false } = {}): Promise<void> {
  await page.addInitScript(({ opening, closing, wraps }) => {
    const untouched = "font, script, style, noscript, textarea, svg, title, [translate=no]";
    const translateText = (text: Text) => {
      const words = text.data.trim();
      if (words === "" || text.parentElement?.closest(untouched) !== null) return;
      const translated = text.data.replace(words, `${opening}${words}${closing}`);
      const outer = document.createElement("font");
      const inner = outer.appendChild(document.createElement("font"));
      text.replaceWith(outer);
      inner.append(wraps ? text : translated);
    };
    const translateAll = (root: Node) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = root instanceof Text ? [root] : [];
      while (texts.nextNode()) found.push(texts.currentNode as Text);
      found.forEach(translateText);
    };
    document.addEventListener("DOMContentLoaded", () => {
      translateAll(document.body);
      new MutationObserver((records) => {
        for (const { type, target, addedNodes } of records) {
          if (type === "characterData") translateAll(target);
          for (const node of addedNodes) if (node.isConnected) translateAll(node);
        }
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
  }, { opening, closing, wraps });
}

/** Everything is translated, and every text that React holds is the one that is shown. */
export async function expectTranslated(page: Page, what: string): Promise<void> {
  await expect.poll(() => page.evaluate(({ opening, closing }) => {
    interface Fiber { tag: number; stateNode: Node & { current: Fiber }; memoizedProps: unknown; child: Fiber | null; sibling: Fiber | null }
    const text = 6, element = 5;
    const wrong: string[] = [];
    let compared = 0;
    const plain = (shown: string) => shown.replaceAll(opening, "").replaceAll(closing, "");
    const original = (fiber: Fiber): string | undefined => {
      if (fiber.tag === text) return fiber.memoizedProps as string;
      const children = fiber.tag === element ? (fiber.memoizedProps as { children?: unknown }).children : undefined;
      return typeof children === "string" || typeof children === "number" ? String(children) : undefined;
    };
    const visit = (fiber: Fiber | null, parent: Node) => {
      for (let one = fiber; one; one = one.sibling) {
        const said = original(one);
        const place = one.tag === element ? one.stateNode : parent;
        if (said?.trim()) {
          compared += 1;
          if (!plain(place.textContent ?? "").includes(said.trim())) wrong.push(`"${said}" is not in "${place.textContent}"`);
        }
        visit(one.child, place);
      }
    };
    for (const container of document.querySelectorAll("#app, [data-island]")) {
      const key = Object.keys(container).find((name) => name.startsWith("__reactContainer"));
      if (key) visit((container as unknown as Record<string, Fiber>)[key]!.stateNode.current.child, container);
    }
    if (compared === 0) wrong.push("no text of React was found");
    if (!document.querySelector("h1 font")) wrong.push("the heading is not translated");
    if ("failed" in document.documentElement.dataset) wrong.push("a part has failed");
    return wrong;
  }, { opening, closing }), { message: what }).toEqual([]);
}

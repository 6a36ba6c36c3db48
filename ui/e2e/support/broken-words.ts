import type { Page } from "playwright-core";

/** The words of headings, names and prices that are broken across lines, except at their own soft hyphens or `wbr`. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = [];
    for (const box of document.querySelectorAll("main :is(h1, h2, h3, .title, .person-role, dt)")) {
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
        for (const { 0: word, index } of text.data.matchAll(/\p{L}{3,}/gu)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)));
          if (lines.size > 1) broken.push(`${word} in ${box.textContent}`);
        }
      }
    }
    return broken;
  });
}

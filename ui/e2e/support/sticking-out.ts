import type { Page } from "playwright-core";

/** What sticks out of the window to the right, or is cut off there. */
export function stickingOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > room) return [`the page is ${document.documentElement.scrollWidth} px wide in ${room}`];
    const words = [...document.querySelectorAll("body *")].filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
      && !element.closest(".hidden-text, .honeypot, .skip-link, .slides, .track > :not([data-shown]), noscript, svg, script"));
    return words.filter((element) => element.getBoundingClientRect().right > room + 1).map((element) => `${element.className || element.tagName}: ${element.textContent}`);
  });
}

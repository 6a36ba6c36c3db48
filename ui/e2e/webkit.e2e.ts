/** Safari's engine, run by tests/webkit alone: pages, a form, the way back, the portal with its videos, the door. */
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { timeout } from "./support/browser";
import { enter } from "./support/competitor";
import { addGuest, doorPath } from "./support/door";
import { publicPages } from "./support/pages";
import { expect, moveEvent, testWith } from "./support/test";
import { WebKit } from "./support/webkit";

/** As WebDriver writes this key. */
const enterKey = "\ue007";

const video = (name: string) => fileURLToPath(new URL(`../../tests/videos/${name}`, import.meta.url));

const test = testWith({}, (showcase) => {
  moveEvent(showcase);
  showcase.changeContent("video = false", "video = true");
}).extend<{ webkit: WebKit }>({
  webkit: async ({}, use) => {
    const webkit = await WebKit.start(process.env.WEBKIT ?? "WebKitWebDriver");
    await use(webkit);
    await webkit.end();
  },
});

test("shows every page", async ({ webkit, showcase }) => {
  for (const path of publicPages) {
    await webkit.goTo(showcase.origin + path);
    expect(await webkit.run("return [document.querySelectorAll('h1').length, document.documentElement.scrollWidth <= innerWidth]"), path).toEqual([1, true]);
  }
});

test("sends a form, and keeps what was typed over the way back", async ({ webkit, showcase }) => {
  await webkit.goTo(`${showcase.origin}/#waitlist`);
  await webkit.run("addEventListener('pageshow', (event) => { window.persisted = event.persisted })");
  await webkit.type("Full name", "Ada Sample");
  await webkit.goTo(`${showcase.origin}/healthz`).catch(() => {});
  await webkit.back();
  await webkit.type("Email", "ada@example.com");
  expect(await webkit.run("return window.persisted"), "from the back/forward cache").toBe(true);
  await webkit.click("button[type=submit]", "Join the waitlist");
  await webkit.find("h2, h3", "You are on the list");
  expect(showcase.records("waitlist-signups")).toMatchObject([{ name: "Ada Sample", email: "ada@example.com" }]);
});

test("plays what is left of a video, also one of an iPhone's kind", async ({ webkit, showcase }) => {
  await enter(showcase, "ada@example.com");
  await webkit.goTo(`${showcase.origin}/artist-portal`);
  await webkit.type("Email address", "ada@example.com");
  await webkit.click("button", "Email me a link");
  const { url } = await vi.waitUntil(() => showcase.makeSignInLink("ada@example.com"), { timeout });
  await webkit.goTo(`${showcase.origin}/artist-portal${new URL(url).hash}`);
  await webkit.click("button", "Photos and release");
  const isUploaded = `document.querySelector("article:has([accept*=video])")?.textContent.includes("Uploaded")`;
  for (const [name, width] of [["phone.mov", 64], ["hevc.mp4", 96], ["vp9.mp4", 320]] as const) {
    await webkit.chooseFile("article input[type=file][accept*=video]", video(name));
    await webkit.poll(`return ${isUploaded}`);
    await webkit.click("button", "see it as the judge does");
    expect(await webkit.poll("const video = document.querySelector('dialog video'); return video?.videoWidth || video?.error?.message"), name).toBe(width);
    await webkit.run("const video = document.querySelector('dialog video'); video.muted = true; return video.play()");
    await webkit.poll("return document.querySelector('dialog video').currentTime > 0");
    await webkit.click("dialog button", "Close");
    await webkit.click("button", "Remove");
    await webkit.poll(`return !${isUploaded}`);
  }
});

test("lets a guest in by a typed code", async ({ webkit, showcase }) => {
  const { code } = await addGuest(showcase, "Zoë Ångström-Okafor");
  await webkit.goTo(showcase.origin + await doorPath(showcase, "Front door"));
  await webkit.type("Name or code", `${code}${enterKey}`);
  await webkit.find("[aria-label=Answer]", "WelcomeZoë Ångström-Okafor");
  await webkit.find("p", "1 in of");
});

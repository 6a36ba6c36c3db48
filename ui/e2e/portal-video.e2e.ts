import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { forgetRefused, openAdmin } from "./support/admin";
import { expectAccessible } from "./support/axe";
import { goTo, phone } from "./support/browser";
import { askForLink, enter, entry } from "./support/competitor";
import { stickingOut } from "./support/sticking-out";
import { expect, moveEvent, testWith } from "./support/test";

/** A file of tests/videos. */
const video = (name: string) => fileURLToPath(new URL(`../../tests/videos/${name}`, import.meta.url));

const test = testWith({}, (showcase) => {
  moveEvent(showcase);
  showcase.changeContent("video = false", "video = true");
});

test("a competitor hands in a video, and both sides can play what is left of it", { tags: ["firefox"] }, async ({ open, showcase, problems }) => {
  await enter(showcase, entry.email);
  const page = await open("/artist-portal", { viewport: phone });
  const { link } = await askForLink(page, showcase, entry.email);
  await goTo(page, link);
  await page.getByRole("button", { name: "Photos and release" }).click();
  const slot = page.getByRole("article", { name: "Video" });
  await slot.getByText("Its sound is removed: the judges hear nothing.").waitFor();
  const choose = (file: string | { name: string; mimeType: string; buffer: Buffer }) => slot.locator("input[type=file]").setInputFiles(file);
  await choose({ name: "ada.mp4", mimeType: "video/mp4", buffer: Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1") });
  await slot.getByText("Please choose an MP4 or MOV file.").waitFor();
  forgetRefused(problems, "uploads");
  expect(readFileSync(video("vp9.mp4")).includes("canary")).toBe(true);
  await choose(video("vp9.mp4"));
  await slot.getByText("Uploaded", { exact: true }).waitFor();
  expect(await stickingOut(page)).toEqual([]);
  await slot.getByRole("button", { name: "see it as the judge does" }).click();
  const shown = page.getByRole("dialog").locator("video");
  /** Jumps to a place, as somebody who drags the time line. */
  const placeAfterJump = () => shown.evaluate((element: HTMLVideoElement) => new Promise<number>((settle, fail) => {
    const jump = () => {
      element.addEventListener("seeked", () => settle(element.currentTime), { once: true });
      element.currentTime = 2;
    };
    element.addEventListener("error", () => fail(new Error(element.error?.message)), { once: true });
    if (element.readyState >= 1) jump();
    else element.addEventListener("loadedmetadata", jump, { once: true });
  }));
  expect(await placeAfterJump()).toBe(2);
  expect(await shown.evaluate((element: HTMLVideoElement) => [element.videoWidth, element.videoHeight, element.duration])).toEqual([320, 240, 3]);
  await expectAccessible(page, "a video as the judge sees it");
  const left = await page.evaluate(async (source) => (await (await fetch(source)).text()), await shown.getAttribute("src") ?? "");
  expect(left.toLowerCase()).not.toContain("canary");

  /** Once nothing of it is loading any more. */
  const remove = async () => {
    await expect.poll(() => shown.evaluateAll((videos) => videos.some((one) => (one as HTMLVideoElement).networkState === HTMLMediaElement.NETWORK_LOADING))).toBe(false);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await slot.locator("img").evaluateAll((images) => Promise.all((images as HTMLImageElement[]).map((image) => image.decode())));
    await slot.getByRole("button", { name: /^Remove/ }).click();
    await slot.getByText("Uploaded", { exact: true }).waitFor({ state: "detached" });
  };
  const decoded = () => shown.evaluate((element: HTMLVideoElement) => element.videoWidth);
  // Real files of an H.264 encoder, and of an HEVC one, which many browsers cannot show: then that is said.
  for (const [name, width] of [["phone.mov", 64], ["hevc.mp4", 96]] as const) {
    await remove();
    await choose(video(name));
    await slot.getByText("Uploaded", { exact: true }).waitFor();
    await slot.getByRole("button", { name: "see it as the judge does" }).click();
    await expect.poll(async () => await page.getByText("This browser cannot show the video.").isVisible() || await decoded() === width).toBe(true);
  }
  await remove();
  await choose(video("vp9.mp4"));
  await slot.getByText("Uploaded", { exact: true }).waitFor();

  const admin = await openAdmin(open, showcase, "/export-data/nominations?id=1");
  const own = admin.locator(".review-photo video");
  await own.waitFor();
  await expect.poll(() => own.evaluate((element: HTMLVideoElement) => element.duration)).toBe(3);
  await expectAccessible(admin, "a nomination with a video");
});

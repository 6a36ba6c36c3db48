import type { Page } from "playwright-core";
import { describe } from "vitest";
import { answerByKeyboard } from "./support/answers";
import { answersOf, continueButton, done, entriesOf, entryForm, fillEntry, goToPayment, readyEntry, total } from "./support/entry";
import { expectAccessible } from "./support/axe";
import { doubleText, goTo, heading, phone, reload, resize, settled } from "./support/browser";
import { fakeReply, forgetRefused, hold } from "./support/admin";
import { expectFocus, press } from "./support/keyboard";
import { stickingOut } from "./support/sticking-out";
import { expect, testWith } from "./support/test";

const test = testWith({ flags: ["--demo"] });

const entries = "/api/competition-entries";
const status = "/api/competition-payments/status";

const payButton = (page: Page) => page.getByRole("button", { name: "Pay $477.06 with the test card" });
const backToForm = (page: Page) => page.getByRole("button", { name: "Back to the form" });

/** By which whoever has it can pay the entry of a page. */
const clientSecretOf = (page: Page) => page.evaluate(() => (JSON.parse(sessionStorage.getItem("entry-attempt") ?? "{}") as { clientSecret: string }).clientSecret);

describe("an entry in the demonstration", () => {
  test("is filled in and paid by keyboard alone", { tags: ["firefox"] }, async ({ open, showcase }) => {
    const page = await open("/enter-competition");
    const form = await readyEntry(page);
    await answerByKeyboard(page, form, answersOf("keyboard@example.com"));
    await press(page, continueButton(page));

    await expectFocus(heading(page, "Complete Your Registration"));
    await page.getByText("securely processed by a card payment provider").waitFor();
    await payButton(page).waitFor();
    await expectAccessible(page, "the demonstration's payment");
    expect(await entriesOf(showcase, "keyboard@example.com")).toMatchObject([{ paymentStatus: "pending", paymentAmount: total }]);

    await press(page, payButton(page));
    // The pointer keeps the notification open, which otherwise closes after 5 s.
    await page.getByRole("status").getByText("Payment Successful").hover();
    await expectFocus(done(page));
    await page.getByRole("status").getByText("Registration completed successfully!").waitFor();
    await page.getByRole("button", { name: "Close notification" }).click();
    await page.getByRole("status").getByText("Registration Successful!").waitFor();
    await page.getByRole("status").getByText("Thank you for entering. You will receive a confirmation email shortly.").waitFor();
    await page.getByText("A confirmation email with your receipt is on its way").waitFor();
    const [entry] = await entriesOf(showcase, "keyboard@example.com");
    const main = page.getByRole("main");
    expect(await main.locator(".fact-list").innerText()).toMatch(new RegExp(`Entry number\\s+${entry!.id}\\s+Category\\s+Brows - Lamination\\s+Total paid\\s+\\$477\\.06`));
    await main.getByText("Receipt to keyboard@example.com. Not there in ten minutes? Look in spam").waitFor();
    expect(await main.getByRole("region", { name: "What happens next" }).getByRole("heading", { level: 3 }).allInnerTexts()).toEqual([expect.stringMatching(/^Enter\s+\(done\)$/), "Send your photos", "Judges score", "Awards"]);
    expect(await main.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual(expect.arrayContaining(["/artist-portal", "/event.ics", "/venue", expect.stringContaining("Sample+Lake+Drive")]));
    expect(page.url()).toMatch(/\/enter-competition\?success=true$/);
    await expectAccessible(page, "a complete registration");
    const stored = Object.fromEntries(answersOf("keyboard@example.com").map(({ field, type, stored }) => [field, type === "tick" ? true : stored]));
    expect(await entriesOf(showcase, "keyboard@example.com")).toMatchObject([{ ...stored, paymentStatus: "paid", paymentAmount: total, additionalCategories: 0 }]);

    await reload(page);
    await done(page).waitFor();
    await page.getByRole("link", { name: "Return to Home" }).click();
    await page.getByRole("heading", { level: 1, name: /Global Lash & Brow Showcase/ }).waitFor();
    await goTo(page, "/enter-competition");
    expect(await (await readyEntry(page)).getByRole("textbox", { name: "Full name" }).inputValue(), "the next entry begins empty").toBe("");
  });

  test("says beside the total that the tax is for another state than the location names", async ({ open }) => {
    const page = await open("/enter-competition");
    await fillEntry(page, "another-state@example.com");
    // The location does not name Connecticut, so the page treats it as the visitor's own choice and keeps it.
    const tax = entryForm(page).getByRole("combobox", { name: "Tax location" });
    await tax.selectOption({ label: "Connecticut" });
    const mismatch = "Your location names New Jersey; the tax is for Connecticut.";
    await entryForm(page).getByText(mismatch).waitFor();
    await continueButton(page).click();
    await heading(page, "Complete Your Registration").waitFor();
    await page.locator(".fee-panel").getByText(mismatch).waitFor();
    await expectAccessible(page, "a payment with the tax of another state");
    await backToForm(page).click();
    await tax.selectOption({ label: "New Jersey" });
    await continueButton(page).click();
    await heading(page, "Complete Your Registration").waitFor();
    expect(await page.locator(".fee-panel").innerText()).not.toContain("Your location names");
  });

  test("that is paid offers a picture to share", async ({ open }) => {
    const page = await open("/enter-competition");
    await goToPayment(page, "share@example.com");
    await payButton(page).click();
    await done(page).waitFor();
    const picture = page.getByRole("img", { name: "I'm competing: Brows - Lamination" });
    await picture.waitFor();
    const button = page.getByRole("button", { name: "Download the picture" });
    await expect.poll(() => button.isEnabled()).toBe(true);
    // The picture has all three colours: paper, ink and rose.
    const colours = await picture.evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set<string>();
      for (let at = 0; at < data.length; at += 4) seen.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
      return ["251,246,239", "42,21,36", "169,58,85"].map((colour) => seen.has(colour));
    });
    expect(colours).toEqual([true, true, true]);
    const download = page.waitForEvent("download");
    await button.click();
    expect((await download).suggestedFilename()).toBe("competing-brows-lamination.png");
  });

  test("names the price in the bar of a phone, beside the name", async ({ open }) => {
    const page = await open("/about", { viewport: phone });
    const enter = page.getByRole("banner").getByRole("link", { name: "Enter · $449" });
    expect(await page.locator(".bar-price").isVisible()).toBe(true);
    const name = await page.locator(".bar-name").evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().right;
    });
    expect((await enter.boundingBox())?.x).toBeGreaterThan(name);
  });

  test("on a phone: the first field and the button that pays are on the first screen, and no notification lies on it", async ({ open }) => {
    const page = await open(`/enter-competition?category=${encodeURIComponent("Lash Lift")}`, { viewport: phone });
    const form = await readyEntry(page);
    await page.getByText("You are entering: Lash Lift, $484.92 with tax.").waitFor();
    const first = await form.getByRole("textbox", { name: "Full name" }).boundingBox();
    expect(first!.y).toBeLessThanOrEqual(600);
    const bar = page.locator(".bar-status");
    await expect.poll(() => bar.innerText()).toBe("Step 1 of 3\n$484.92");
    const fold = page.getByRole("button", { name: "Four categories, eight subcategories" });
    expect(await page.getByText("Volume, Creative", { exact: true }).isVisible()).toBe(false);
    await press(page, fold);
    await page.getByText("Volume, Creative", { exact: true }).waitFor();
    await press(page, fold);

    await goToPayment(page, "phone@example.com");
    await page.getByText("Brows - Lamination").waitFor();
    await page.getByText("Receipt to phone@example.com.").waitFor();
    await expect.poll(() => bar.innerText()).toBe("Step 2 of 3\n$477.06");
    const pay = await payButton(page).boundingBox();
    expect(pay!.y + pay!.height).toBeLessThanOrEqual(phone.height);
    expect(await page.getByText("Subtotal").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Show the breakdown" }).click();
    await page.getByText("Subtotal").waitFor();
    await page.getByRole("button", { name: "Hide the breakdown" }).click();

    await page.getByRole("button", { name: "Pay with a card that is declined" }).click();
    await page.getByRole("alert").getByText("Payment Failed", { exact: true }).waitFor();
    await page.getByRole("alert").getByText("Your card was declined.", { exact: true }).waitFor();
    const toast = await page.getByRole("alert").locator(".toast").boundingBox();
    const again = await payButton(page).boundingBox();
    expect(toast!.y + toast!.height <= again!.y || toast!.y >= again!.y + again!.height, "apart").toBe(true);
    await expect.poll(() => payButton(page).isEnabled()).toBe(true);
    await page.getByRole("button", { name: "Change the entry" }).click();
    await expectFocus(entryForm(page));
  });

  test("that was left unpaid is announced on return, with a button to pay and one to start over", async ({ open, showcase }) => {
    const notice = (page: Page) => page.getByRole("region", { name: "Your unpaid entry" });
    const first = await open("/enter-competition");
    await goToPayment(first, "left@example.com");
    await first.close();

    const second = await first.context().newPage();
    await goTo(second, "/enter-competition");
    await notice(second).getByText("Your entry (Brows - Lamination) is not paid yet.").waitFor();
    await expectAccessible(second, "an entry that is not paid yet");
    await notice(second).getByRole("button", { name: "Continue to payment, $477.06" }).click();
    await second.getByText("Receipt to left@example.com.").waitFor();
    expect((await second.getByRole("region", { name: "Fee breakdown" }).innerText()).split("\n").map((line) => line.trim()).filter(Boolean).slice(1))
      .toEqual(["Pass with your first category", "$449.00", "Subtotal", "$449.00", "Sales tax, New Jersey 6.25%", "$28.06", "Total", "$477.06"]);
    await payButton(second).click();
    await done(second).waitFor();
    await second.getByText("Receipt to left@example.com.").waitFor();
    expect(await entriesOf(showcase, "left@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
    await goTo(second, "/enter-competition");
    await goToPayment(second, "dropped@example.com");
    await second.close();

    const third = await first.context().newPage();
    await goTo(third, "/enter-competition");
    await notice(third).getByRole("button", { name: "Start over" }).click();
    await notice(third).getByRole("button", { name: "Discard what I typed" }).click();
    await notice(third).waitFor({ state: "detached" });
    expect(await (await readyEntry(third)).getByRole("textbox", { name: "Full name" }).inputValue()).toBe("");
    await reload(third);
    await readyEntry(third);
    expect(await notice(third).count()).toBe(0);
  });

  test("that is changed from the payment step keeps its answers and stays one entry", async ({ open, showcase }) => {
    const page = await open("/enter-competition");
    await goToPayment(page, "changed@example.com");
    await press(page, backToForm(page));
    const form = entryForm(page);
    await expectFocus(form);
    for (const { type, label, says, field } of answersOf("changed@example.com")) {
      if (type === "text") expect(await form.getByRole("textbox", { name: label }).inputValue(), field).toBe(says);
      else if (type === "tick") expect(await form.getByRole("checkbox", { name: label }).isChecked(), field).toBe(true);
      else expect(await form.getByRole("combobox", { name: label }).locator("option:checked").innerText(), field).toBe(says);
    }
    await form.getByRole("radio", { name: /One more category/ }).check();
    await form.getByRole("combobox", { name: "First additional category" }).selectOption("Makeup");
    await form.getByRole("combobox", { name: "First additional subcategory" }).selectOption("Editorial/Creative");
    await press(page, continueButton(page));
    await page.getByRole("button", { name: "Pay $582.25 with the test card" }).waitFor();

    // Only once this step is shown is the previous one in the history.
    await settled(page);
    await page.goBack();
    await expectFocus(form);
    await form.getByRole("textbox", { name: "Business name" }).fill("Studio Due");
    await press(page, continueButton(page));
    await press(page, page.getByRole("button", { name: "Pay $582.25 with the test card" }));
    await done(page).waitFor();
    expect(await entriesOf(showcase, "changed@example.com")).toMatchObject([
      { paymentStatus: "paid", paymentAmount: 58225, businessName: "Studio Due", additionalCategories: 1, additionalCategory1: "makeup", additionalCategory1Sub: "Editorial/Creative" },
    ]);
  });

  test("is sent and paid once however often a button is pressed", async ({ open, showcase }) => {
    const page = await open("/enter-competition");
    await fillEntry(page, "twice@example.com");
    const asked: string[] = [];
    page.on("request", (request) => request.method() === "POST" && asked.push(new URL(request.url()).pathname));
    // The reply is held back until after the second press, which would otherwise reach the next step.
    for (const [path, button] of [["/api/create-competition-payment-intent", continueButton(page)], [status, payButton(page)]] as const) {
      const release = await hold(page, path);
      await button.dblclick();
      release();
    }
    await done(page).waitFor();
    expect(asked).toEqual(["/api/create-competition-payment-intent", status, "/api/demo-payment", entries]);
    expect(await entriesOf(showcase, "twice@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
  });
});

describe("a payment that went through", () => {
  test("is never asked for again when saving fails", async ({ open, showcase, problems }) => {
    const page = await open("/enter-competition");
    await goToPayment(page, "unsaved@example.com");
    await fakeReply(page, entries, 503, { detail: "The server is busy. Please try again in a minute." });
    await payButton(page).click();
    const alert = page.getByRole("alert");
    await alert.getByText("Error", { exact: true }).waitFor();
    await alert.getByText("The server is busy. Please try again in a minute.").waitFor();
    await expectFocus(page.getByRole("heading", { name: "Your payment is safe" }));
    await page.getByText("you will not be asked to pay again").waitFor();
    expect(await page.getByRole("button", { name: /^Pay/ }).count()).toBe(0);
    expect(await backToForm(page).count()).toBe(0);
    await expectAccessible(page, "a safe payment");

    await page.unrouteAll();
    await page.route(`**${entries}`, (route) => route.abort(), { times: 1 });
    const save = page.getByRole("button", { name: "Save my entry" });
    await save.click();
    await alert.getByText("There was an error submitting your entry. Please try again.").waitFor();
    await expectFocus(save);
    await save.click();
    await done(page).waitFor();
    expect(await entriesOf(showcase, "unsaved@example.com")).toMatchObject([{ paymentStatus: "paid", paymentAmount: total }]);
    forgetRefused(problems, entries);
  });

  test("is found again when the browser was closed before the entry was saved", async ({ open, showcase, problems }) => {
    const first = await open("/enter-competition");
    await goToPayment(first, "closed@example.com");
    await first.route(`**${entries}`, (route) => route.abort());
    await payButton(first).click();
    await first.getByRole("heading", { name: "Your payment is safe" }).waitFor();
    await first.close();
    expect(await entriesOf(showcase, "closed@example.com")).toMatchObject([{ paymentStatus: "pending" }]);

    const second = await first.context().newPage();
    await goTo(second, "/enter-competition");
    await done(second).waitFor();
    expect(await entriesOf(showcase, "closed@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
    forgetRefused(problems, entries);
  });

  test("and whose entry the server refuses keeps a button to see what became of it", async ({ open, showcase }) => {
    const page = await open("/enter-competition");
    await goToPayment(page, "refused-paid@example.com");
    await fakeReply(page, entries, 409, { detail: "This payment is not through yet." });
    await payButton(page).click();
    await page.getByRole("alert").getByText("This payment is not through yet.").waitFor();
    await page.getByRole("main").getByText("Not sent. This payment is not through yet.").waitFor();
    expect(await payButton(page).isVisible(), "the step stays").toBe(true);
    await page.unrouteAll();
    await fakeReply(page, entries, 422, { detail: "This payment was made for another entry." });
    await page.route("**/api/demo-payment", (route) => route.fulfill({ json: { status: "succeeded" } }));
    await page.route(`**${status}`, (route) => route.fulfill({ json: { state: "unpaid", paymentStatus: "pending", paymentAmount: total, entryId: 1, email: "", categories: [] } }), { times: 1 });
    await payButton(page).click();
    await page.getByRole("heading", { name: "Your payment is safe" }).waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "See what became of this payment" }).click();
    await done(page).waitFor();
    expect(await entriesOf(showcase, "refused-paid@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
  });

  test("in another tab is not made again in this one", async ({ open, showcase, problems }) => {
    const page = await open("/enter-competition");
    await goToPayment(page, "elsewhere@example.com");
    await backToForm(page).click();
    // Pays as a duplicated tab would.
    await page.request.post("/api/demo-payment", { data: { clientSecret: await clientSecretOf(page), outcome: "succeed" } });
    await continueButton(page).click();
    await page.getByRole("alert").getByText("Error", { exact: true }).waitFor();
    await page.getByRole("button", { name: "See what became of your payment" }).click();
    await done(page).waitFor();
    expect(await entriesOf(showcase, "elsewhere@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
    forgetRefused(problems, "/api/create-competition-payment-intent");
  });
});

describe("coming back with ?success=true", () => {
  test("keeps the draft in this browser when the payment is another person's", async ({ open }) => {
    const other = await open("/enter-competition");
    await goToPayment(other, "other@example.com");
    const clientSecret = await clientSecretOf(other);
    await payButton(other).click();
    await done(other).waitFor();

    const page = await open("/enter-competition");
    await fillEntry(page, "mine@example.com");
    await goTo(page, `/enter-competition?success=true&payment_intent_client_secret=${clientSecret}`);
    await done(page).waitFor();
    await goTo(page, "/enter-competition");
    await expect.poll(async () => (await readyEntry(page)).getByRole("textbox", { name: "Email" }).inputValue()).toBe("mine@example.com");
  });

  test("does not claim a payment that is not known", async ({ open, problems }) => {
    const page = await open("/enter-competition?success=true");
    await expectFocus(heading(page, "We can't find this payment"));
    await expectAccessible(page, "a return without a payment");
    await goTo(page, "/enter-competition?success=true&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded");
    await heading(page, "We can't find this payment").waitFor();
    expect(page.url(), "the secret leaves the address").toMatch(/\?success=true$/);
    await page.getByRole("button", { name: "Go to the form" }).click();
    await readyEntry(page);
    expect(page.url()).toMatch(/\/enter-competition$/);
    forgetRefused(problems, "/api/competition-payments/status");
  });
});

/** The states that the server reports for a payment and for its entry, and the title that the page then shows. */
const standings = [
  ["processing", "pending", "Your payment is being processed"],
  ["unpaid", "pending", "Payment Failed"],
  ["cancelled", "failed", "This payment was cancelled"],
  ["cancelled", "complimentary", "Your entry is complete"],
  ["held", null, "We have your payment and are looking at it"],
  ["refunded", "failed", "Your payment was given back"],
  ["held", "paid", "We have your payment and are looking at it"],
  ["paid", null, "We have your payment and are looking at it"],
  ["paid", "pending", "We have your payment and are looking at it"],
  ["paid", "abandoned", "We have your payment and are looking at it"],
  ["paid", "partially_refunded", "A part of your payment was given back"],
  ["paid", "refunded", "Your payment was given back"],
  ["paid", "disputed", "Your payment is disputed"],
] as const;

describe("every step", () => {
  test("fits a window of 320 px, and one of 390 px with its text at 200 %", async ({ open }) => {
    const page = await open("/enter-competition");
    const found: string[] = [];
    const check = async (step: string) => {
      await resize(page, { width: 320, height: 640 });
      found.push(...(await stickingOut(page)).map((what) => `${step} at 320 px: ${what}`));
      await resize(page, phone);
      await doubleText(page);
      found.push(...(await stickingOut(page)).map((what) => `${step} at 200 %: ${what}`));
      await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
      await expectAccessible(page, `${step} on a phone`);
    };
    await fillEntry(page, "narrow@example.com");
    await entryForm(page).getByRole("radio", { name: /Two more categories/ }).check();
    await check("the form with two more categories");
    await continueButton(page).click();
    await entryForm(page).locator(".error-summary").waitFor();
    await check("the form with errors");
    await entryForm(page).getByRole("radio", { name: "None" }).check();
    await continueButton(page).click();
    await payButton(page).waitFor();
    await check("the payment");
    await fakeReply(page, entries, 503, { detail: "Busy." });
    await payButton(page).click();
    await page.getByRole("heading", { name: "Your payment is safe" }).waitFor();
    await check("a safe payment");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Save my entry" }).click();
    await done(page).waitFor();
    await check("the success");
    for (const [state, paymentStatus, title] of standings) {
      await fakeReply(page, status, 200, { state, paymentStatus, paymentAmount: total });
      await goTo(page, `/enter-competition?success=true&payment_intent_client_secret=pi_${state}-${paymentStatus}_secret_1`);
      await heading(page, title).waitFor();
      await check(`${state}, ${paymentStatus}`);
    }
    expect(found).toEqual([]);
  });
});

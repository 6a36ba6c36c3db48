import { describe } from "vitest";
import { answerByKeyboard } from "./support/answers";
import { answersOf, continueButton, entriesOf, entryForm, fillEntry, readyEntry } from "./support/entry";
import { expectAccessible } from "./support/axe";
import { goTo, phone, reload } from "./support/browser";
import { fakeReply, forgetRefused } from "./support/admin";
import { expectFocus, press } from "./support/keyboard";
import { expect, testWith } from "./support/test";

const intents = "/api/create-competition-payment-intent";

const test = testWith({ flags: ["--demo"] });

describe("the entry form", () => {
  test("keeps its progress apart from the words below it on a phone", async ({ open }) => {
    const page = await open("/enter-competition", { viewport: phone });
    await readyEntry(page);
    const [progress, words] = await Promise.all([page.locator(".form-progress").boundingBox(), page.getByText(/^Answers marked/).boundingBox()]);
    expect(words?.y).toBeGreaterThanOrEqual((progress?.y ?? 0) + (progress?.height ?? 0) + 12);
  });

  test("begins with the rules, the categories, and no price", async ({ open }) => {
    const page = await open("/enter-competition");
    const form = await readyEntry(page);
    const main = page.getByRole("main");
    expect(await main.getByRole("link", { name: "Competition rules" }).getAttribute("href")).toBe("/competition");
    const offered = main.getByRole("region", { name: "What you can enter" }).getByRole("listitem");
    expect(await offered.allInnerTexts()).toEqual([
      expect.stringMatching(/^Lash Extensions\s+Volume, Creative$/),
      expect.stringMatching(/^Brows\s+Lamination, Creative$/),
      expect.stringMatching(/^Lash Lift\s+\S/),
      expect.stringMatching(/^Makeup\s+Natural Glam, Editorial\/Creative$/),
    ]);
    expect(await continueButton(page).innerText()).toBe("Complete Form to Continue");
    expect(await continueButton(page).isDisabled()).toBe(true);
    expect(await page.getByRole("heading", { name: "Fee breakdown" }).count()).toBe(0);
    expect(await form.getByRole("combobox", { name: "Subcategory", exact: true }).isDisabled()).toBe(true);
    expect(await form.getByRole("combobox", { name: "Tax location" }).inputValue()).toBe("new-york");
    expect(await form.getByRole("combobox", { name: "Tax location" }).getByRole("option").count()).toBe(13);
    await expectAccessible(page, "the empty entry form");
  });

  test("takes over ?category= by its label, and ignores what it does not know", async ({ open }) => {
    const page = await open("/enter-competition?category=Nails");
    const chosen = async () => {
      const form = await readyEntry(page);
      return Promise.all(["Primary category", "Subcategory"].map((label) => form.getByRole("combobox", { name: label }).locator("option:checked").innerText()));
    };
    expect(await chosen()).toEqual(["Please select", "Choose a category first"]);
    await goTo(page, `/enter-competition?category=${encodeURIComponent("Lash Extensions - Volume")}`);
    await expect.poll(chosen).toEqual(["Lash Extensions", "Volume"]);
    await entryForm(page).getByRole("combobox", { name: "Primary category" }).selectOption("Brows");
    await reload(page);
    await expect.poll(chosen, { message: "what was chosen since then, after a reload" }).toEqual(["Brows", "Please select"]);

    await goTo(page, "/competition");
    await page.getByRole("link", { name: "Enter this category: Lash Extensions - Volume" }).click();
    await expect.poll(chosen, { message: "the same link, followed a second time" }).toEqual(["Lash Extensions", "Volume"]);
  });

  test("calls nothing typed that a link brought along", async ({ open }) => {
    const page = await open("/enter-competition?category=Lash%20Lift");
    const notice = entryForm(page).getByText("We kept what you typed last time");
    await expect.poll(() => page.evaluate(() => localStorage.getItem("draft:competition-entries"))).toContain("lash-lift");
    await goTo(page, "/enter-competition?category=Brows%20-%20Creative");
    const form = await readyEntry(page);
    await expect.poll(() => form.getByRole("combobox", { name: "Primary category" }).inputValue()).toBe("brows");
    expect(await notice.count()).toBe(0);

    await form.getByRole("textbox", { name: "Full name" }).fill("Ana");
    await goTo(page, "/enter-competition?category=Lash%20Lift");
    await notice.waitFor();
  });

  test("clears and excludes categories as they are chosen", async ({ open }) => {
    const page = await open("/enter-competition");
    const form = await readyEntry(page);
    const select = (label: string) => form.getByRole("combobox", { name: label, exact: true });
    const expectChosen = (label: string, value: string) => expect.poll(() => select(label).inputValue(), { message: label }).toBe(value);
    const choices = (label: string) => select(label).getByRole("option").allInnerTexts();
    const block = (number: number) => form.getByRole("group", { name: `Additional category #${number}` });
    expect(await block(1).count()).toBe(0);

    await form.getByRole("radio", { name: /One more category/ }).check();
    await expect.poll(async () => [await block(1).count(), await block(2).count()]).toEqual([1, 0]);
    await form.getByRole("radio", { name: /Two more categories/ }).check();
    await expect.poll(async () => [await block(1).count(), await block(2).count()]).toEqual([1, 1]);

    await select("Primary category").selectOption("Brows");
    await expect.poll(() => choices("First additional category")).toEqual(["Please select", "Lash Extensions", "Lash Lift", "Makeup"]);
    await select("First additional category").selectOption("Makeup");
    await select("First additional subcategory").selectOption("Natural Glam");
    await expect.poll(() => choices("Second additional category")).toEqual(["Please select", "Lash Extensions", "Lash Lift"]);
    await select("Subcategory").selectOption("Lamination");

    // What else a choice clears is shown by the tests of `entry-categories.ts`.
    await select("Primary category").selectOption("Makeup");
    await expectChosen("Subcategory", "");
    await expectChosen("First additional category", "");
    await expect.poll(() => select("First additional subcategory").isDisabled()).toBe(true);
    await select("First additional category").selectOption("Lash Lift");
    await form.getByRole("radio", { name: "None" }).check();
    await form.getByRole("radio", { name: /One more category/ }).check();
    await expectChosen("First additional category", "");
  });

  test("shows what it costs as soon as it is known, and follows every change", async ({ open }) => {
    const page = await open(`/enter-competition?category=${encodeURIComponent("Brows - Creative")}`);
    const form = await readyEntry(page);
    const panel = page.getByRole("region", { name: "Fee breakdown" });
    const lines = async () => (await panel.innerText()).split("\n").map((line) => line.trim()).filter(Boolean);
    await expect.poll(lines).toEqual([
      "Fee breakdown", "Pass with your first category", "$449.00", "Subtotal", "$449.00", "Sales tax, New York 8.00%", "$35.92", "Total", "$484.92",
    ]);
    await expect.poll(() => continueButton(page).innerText()).toBe("Continue to Payment - $484.92");
    await form.getByRole("radio", { name: /Two more categories/ }).check();
    await form.getByRole("combobox", { name: "Tax location" }).selectOption({ label: "Connecticut" });
    await expect.poll(lines).toEqual([
      "Fee breakdown", "Pass with your first category", "$449.00", "2 additional categories", "$179.00", "Subtotal", "$628.00",
      "Sales tax, Connecticut 6.35%", "$39.88", "Total", "$667.88",
    ]);
    await expect.poll(() => continueButton(page).innerText()).toBe("Continue to Payment - $667.88");
    await form.getByRole("combobox", { name: "Primary category" }).selectOption("Makeup");
    await expect.poll(() => continueButton(page).innerText()).toBe("Complete Form to Continue");
    await panel.waitFor({ state: "detached" });
  });

  test("taxes in the state that the location names, says so, and leaves a state that was chosen by hand alone", async ({ open }) => {
    const page = await open(`/enter-competition?category=${encodeURIComponent("Lash Lift")}`);
    const form = await readyEntry(page);
    const location = form.getByRole("textbox", { name: "Location" });
    const tax = form.getByRole("combobox", { name: "Tax location" });
    await location.fill("Miami, FL");
    await form.getByText("Florida, from your location.").waitFor();
    expect(await tax.inputValue()).toBe("florida");
    await expect.poll(() => continueButton(page).innerText()).toBe("Continue to Payment - $475.94");
    await expectAccessible(page, "a suggested state");
    await press(page, form.getByRole("button", { name: "Change" }));
    await expectFocus(tax);
    await page.keyboard.press("Escape");
    await location.fill("Toronto, Canada");
    await expect.poll(() => tax.inputValue(), { message: "a location that names no state" }).toBe("new-york");

    await tax.selectOption({ label: "Texas" });
    await location.fill("Newark, NJ");
    await form.getByText("Your location names New Jersey; the tax is for Texas.").waitFor();
    expect(await tax.inputValue()).toBe("texas");
    await expect.poll(() => page.evaluate(() => localStorage.getItem("draft:competition-entries"))).toContain("Newark");
    await reload(page);
    await form.getByText("Your location names New Jersey; the tax is for Texas.").waitFor();
  });

  test("docks the price on a phone, and opens it into its parts", async ({ open }) => {
    const page = await open(`/enter-competition?category=${encodeURIComponent("Lash Lift")}`, { viewport: phone });
    await readyEntry(page);
    const panel = page.locator(".fee-panel");
    await entryForm(page).getByRole("textbox", { name: "Phone" }).scrollIntoViewIfNeeded();
    const box = await panel.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(phone.height, 0);
    expect(await panel.getByText("Subtotal").isVisible()).toBe(false);
    await press(page, panel.getByRole("button", { name: "Show the breakdown" }));
    await panel.getByText("Subtotal").waitFor();
    await expectAccessible(page, "the docked price, opened");
  });

  test("names every wrong answer at once, those of additional categories too", async ({ open, showcase }) => {
    const page = await open(`/enter-competition?category=${encodeURIComponent("Lash Lift")}`);
    const form = await readyEntry(page);
    await form.getByRole("radio", { name: /Two more categories/ }).check();
    await form.getByRole("textbox", { name: "Portfolio" }).fill("not an address");
    await press(page, continueButton(page));
    const summary = form.locator(".error-summary");
    await expectFocus(summary);
    expect(await summary.getByRole("listitem").allInnerTexts()).toEqual([
      "Name must be at least 2 characters", "Please enter a valid email address", "Please enter a valid phone number", "Business name is required", "Location is required",
      "Please select your first additional category", "Please select your second additional category",
      "Please enter a valid URL",
      "You must agree to the competition terms and refund policy", "You must consent to photography/videography release",
    ]);
    await expectAccessible(page, "the entry form with its errors");
    expect(await form.getByRole("combobox", { name: "Second additional subcategory" }).getAttribute("aria-invalid")).toBe(null);
    await press(page, summary.getByRole("link", { name: "Please select your second additional category" }));
    await expectFocus(form.getByRole("combobox", { name: "Second additional category" }));
    await form.getByRole("combobox", { name: "Second additional category" }).selectOption("Makeup");
    await form.getByText("Please select your second additional category and its subcategory").waitFor();
    await form.getByRole("radio", { name: "None" }).check();
    await answerByKeyboard(page, form, answersOf("errors@example.com"));
    await expect.poll(() => summary.getByRole("heading").innerText()).toBe("All fixed. You can send the form now.");
    await expect.poll(() => page.locator(".form-progress-count").innerText()).toBe("9 of 9 required answers");
    expect(await entriesOf(showcase, "errors@example.com")).toEqual([]);
  });
});

describe("going on to the payment", () => {
  test("says what the server says when it refuses, else that it could not be done", async ({ open, problems }) => {
    const page = await open("/enter-competition");
    await fillEntry(page, "refused@example.com");
    const alert = page.getByRole("alert");
    const notSent = entryForm(page).locator(".not-sent");
    const cases = [
      [502, { detail: "The payment provider does not answer. Please try again in a minute." }, "The payment provider does not answer. Please try again in a minute."],
      [500, {}, "Unable to process payment. Please try again."],
      [422, { detail: "Please check the form.", errors: { amount: "This entry costs $477.06 (47706 cents) with tax" } }, "This entry costs $477.06 (47706 cents) with tax. Please reload the page to go on at this price."],
      [403, { detail: "Entries closed on March 1." }, "Entries closed on March 1."],
    ] as const;
    for (const [status, body, words] of cases) {
      await fakeReply(page, intents, status, body);
      await continueButton(page).click();
      await alert.getByText("Error", { exact: true }).waitFor();
      await alert.getByText(words, { exact: true }).waitFor();
      await expectFocus(continueButton(page));
      await notSent.getByText(words).waitFor();
      await expect.poll(() => continueButton(page).innerText()).toBe("Continue to Payment - $477.06");
      await page.unrouteAll();
    }
    await page.route(`**${intents}`, (route) => route.abort());
    await continueButton(page).click();
    await alert.getByText("Unable to process payment. Please try again.").waitFor();
    await notSent.getByText("Not sent. There is no connection to our server. Please try again. Your answers are safe on this device.").waitFor();
    expect(await entryForm(page).getByRole("textbox", { name: "Full name" }).inputValue()).toBe("Ana Núñez");
    forgetRefused(problems, intents);
  });

  test("shows what the server refuses at its field", async ({ open }) => {
    const page = await open("/enter-competition");
    await fillEntry(page, "field@example.com");
    await fakeReply(page, intents, 422, { detail: "Please check the form.", errors: { phone: "Please enter a valid phone number" } });
    await continueButton(page).click();
    const summary = entryForm(page).locator(".error-summary");
    await expectFocus(summary);
    expect(await summary.getByRole("listitem").allInnerTexts()).toEqual(["Please enter a valid phone number"]);
    await page.getByRole("alert").getByText("Please check the form.").waitFor();
    await entryForm(page).locator(".not-sent").getByText("Please check the form.").waitFor();
  });
});

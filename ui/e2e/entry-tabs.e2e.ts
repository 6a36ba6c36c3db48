import type { Page } from "playwright-core";
import { describe } from "vitest";
import { changeBehind, continueButton, done, entriesOf, entryForm, fillEntry, goToPayment, readyEntry, total } from "./support/entry";
import { expectAccessible } from "./support/axe";
import { goTo, reload, settled } from "./support/browser";
import { forgetRefused, hold, signedIn } from "./support/admin";
import { expectFocus } from "./support/keyboard";
import { cards, standInForStripe, type StandIn } from "./support/stripe";
import { cardNumber, expect, heading, intentOf, payButton, payWith, test } from "./support/stripe-test";

const held = "We have your payment and are looking at it";

/** Duplicates a tab as browsers do: the new tab starts with a copy of the first one's session storage. */
async function duplicateOf(page: Page, standIn: StandIn): Promise<Page> {
  // Before the tab is there: it asks for Stripe's script as it loads.
  await standInForStripe(page.context(), standIn);
  const opened = page.context().waitForEvent("page");
  await page.evaluate(() => void open(location.href));
  const second = await opened;
  await readyEntry(second);
  return second;
}

/** Another tab of the same browser, opened by the visitor. */
async function anotherTab(page: Page, standIn: StandIn): Promise<Page> {
  const second = await page.context().newPage();
  await standInForStripe(second, standIn);
  await goTo(second, "/enter-competition");
  return second;
}

/** Continues with the draft of a form that an earlier tab filled in. */
async function continueDraft(page: Page): Promise<void> {
  await entryForm(page).getByText("We kept what you typed last time").waitFor();
  for (const box of await entryForm(page).getByRole("checkbox").all()) await box.check();
  await continueButton(page).click();
  await heading(page, "Complete Your Registration").waitFor();
}

describe("a second tab", () => {
  test("that is a duplicate of the first has an entry of its own, and each is paid for its own person", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "ada@example.com");
    const second = await duplicateOf(page, standIn);
    await fillEntry(second, "bea@example.com");
    await entryForm(second).getByRole("textbox", { name: "Full name" }).fill("Bea Otra");
    await continueButton(second).click();
    await heading(second, "Complete Your Registration").waitFor();

    await payWith(page, cards.good);
    await done(page).waitFor();
    expect(await entriesOf(showcase, "ada@example.com")).toMatchObject([{ name: "Ana Núñez", paymentStatus: "paid" }]);
    expect(await entriesOf(showcase, "bea@example.com")).toMatchObject([{ name: "Bea Otra", paymentStatus: "pending" }]);
    await payWith(second, cards.good);
    await done(second).waitFor();
    expect(await entriesOf(showcase, "bea@example.com")).toMatchObject([{ name: "Bea Otra", paymentStatus: "paid" }]);
    for (const email of ["ada@example.com", "bea@example.com"]) {
      expect(await intentOf(standIn, showcase, email)).toMatchObject({ status: "succeeded", amount: total });
      expect(showcase.mails().filter(({ to }) => to === email)).toHaveLength(1);
    }
  });

  test("that is a duplicate, for the same person, does not change what the first one pays for", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "same@example.com");
    const second = await duplicateOf(page, standIn);
    await fillEntry(second, "same@example.com");
    await entryForm(second).getByRole("combobox", { name: "Primary category" }).selectOption("Makeup");
    await entryForm(second).getByRole("combobox", { name: "Subcategory", exact: true }).selectOption("Natural Glam");
    await continueButton(second).click();
    await heading(second, "Complete Your Registration").waitFor();
    await reload(second);
    await readyEntry(second);

    await payWith(page, cards.good);
    await done(page).waitFor();
    const [paid, ...others] = (await entriesOf(showcase, "same@example.com")).filter(({ paymentStatus }) => paymentStatus === "paid");
    expect(others).toEqual([]);
    expect(paid).toMatchObject({ primaryCategory: "brows", subCategory: "Lamination" });
  });

  test("says that the same person has paid already, and takes a second payment only from whoever means it", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "two@example.com");
    const second = await anotherTab(page, standIn);
    await continueDraft(second);
    const notice = second.getByRole("main").getByRole("alert");
    expect(await notice.count()).toBe(0);

    await payWith(page, cards.good);
    await done(page).waitFor();
    await notice.getByText("An entry for two@example.com has already been paid for in this browser.").waitFor();
    await expectAccessible(second, "a payment that was made already");
    await notice.getByRole("button", { name: "See that payment" }).click();
    await done(second).waitFor();
    expect((await entriesOf(showcase, "two@example.com")).map(({ paymentStatus }) => paymentStatus).sort()).toEqual(["paid", "pending"]);

    const third = await anotherTab(page, standIn);
    await fillEntry(third, "Two@Example.com ");
    await continueButton(third).click();
    await third.getByRole("main").getByRole("alert").getByText("An entry for two@example.com has already been paid for").waitFor();
    await payWith(third, cards.good);
    await done(third).waitFor();
    expect((await entriesOf(showcase, "two@example.com")).filter(({ paymentStatus }) => paymentStatus === "paid")).toHaveLength(2);
  });

  test("says that its entry is paid once another tab has paid it, on the form and on the payment", async ({ openEntry, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "both@example.com");
    const atForm = await anotherTab(page, standIn);
    await atForm.getByText("is not paid yet.").waitFor();
    const atPayment = await anotherTab(page, standIn);
    await atPayment.getByRole("button", { name: /^Continue to payment/ }).click();
    await heading(atPayment, "Complete Your Registration").waitFor();
    await payWith(page, cards.good);
    await done(page).waitFor();
    await done(atForm).waitFor();
    await done(atPayment).waitFor();
  });

  test("says so when the visitor returns to it, if the browser stores nothing", async ({ openEntry, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "return@example.com");
    const second = await anotherTab(page, standIn);
    await second.getByText("is not paid yet.").waitFor();
    await second.evaluate(() => addEventListener("storage", (event) => event.stopImmediatePropagation(), { capture: true }));
    await payWith(page, cards.good);
    await done(page).waitFor();
    await second.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await done(second).waitFor();
  });

  test("warns of the other payment before it charges, even if it learns of it only when the button is pressed", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "late@example.com");
    await cardNumber(page).fill(cards.good);
    await page.evaluate(() => localStorage.setItem("entry-payments", JSON.stringify([{ clientSecret: "pi_1_secret_1", email: "late@example.com", at: Date.now() }])));
    const notice = page.getByRole("main").getByRole("alert");
    expect(await notice.count(), "a tab gets no storage event for its own writes").toBe(0);
    await payButton(page).click();
    await notice.getByText("A payment for an entry for late@example.com has already been started in this browser").waitFor();
    expect(await intentOf(standIn, showcase, "late@example.com")).toMatchObject({ status: "requires_payment_method" });
    await payButton(page).click();
    await done(page).waitFor();
    expect(await intentOf(standIn, showcase, "late@example.com")).toMatchObject({ status: "succeeded" });
  });

  test("leads to a payment that is being processed, and on to an entry for somebody else", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "slow@example.com");
    await payWith(page, cards.slow);
    await heading(page, "Your payment is being processed").waitFor();
    const second = await anotherTab(page, standIn);
    await heading(second, "Your payment is being processed").waitFor();
    await second.getByRole("button", { name: "Enter somebody else" }).click();
    await expectFocus(entryForm(second));
    expect(await entryForm(second).getByRole("textbox", { name: "Full name" }).inputValue()).toBe("");
    await reload(second);
    await goToPayment(second, "else@example.com");
    expect(await second.getByRole("main").getByRole("alert").count(), "another person").toBe(0);
    await payWith(second, cards.good);
    await done(second).waitFor();
    expect(await entriesOf(showcase, "else@example.com")).toMatchObject([{ paymentStatus: "paid" }]);

    await standIn.control("settle", { payment_intent: (await intentOf(standIn, showcase, "slow@example.com")).id });
    await done(page).waitFor();
    expect(await entriesOf(showcase, "slow@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
  });
});

describe("what is charged", () => {
  test("is for the person in the form: a corrected address changes the entry, even after a reload or in another tab", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "typo@example.com");
    const correct = async (tab: Page, email: string) => {
      await tab.getByRole("button", { name: "Change the entry" }).click();
      await entryForm(tab).getByRole("textbox", { name: "Email" }).fill(email);
      for (const box of await entryForm(tab).getByRole("checkbox").all()) await box.check();
      await continueButton(tab).click();
      await heading(tab, "Complete Your Registration").waitFor();
      await tab.getByText(`Receipt to ${email}`).waitFor();
    };
    await correct(page, "second@example.com");
    await reload(page);
    await page.getByRole("button", { name: /^Continue to payment/ }).click();
    await correct(page, "third@example.com");
    const another = await anotherTab(page, standIn);
    await another.getByRole("button", { name: /^Continue to payment/ }).click();
    await correct(another, "right@example.com");
    await payWith(another, cards.good);
    await done(another).waitFor();
    for (const email of ["typo@example.com", "second@example.com", "third@example.com"]) expect(await entriesOf(showcase, email)).toEqual([]);
    expect(await entriesOf(showcase, "right@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
  });

  test("is never an amount other than the one shown", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "stale@example.com");
    await changeBehind(page, 47594, { taxLocation: "florida" });
    await payWith(page, cards.good);
    await page.getByRole("alert").getByText("This entry was changed in another tab: it costs $475.94 now, and not $477.06. Nothing was charged.").waitFor();
    expect(await intentOf(standIn, showcase, "stale@example.com")).toMatchObject({ status: "requires_payment_method", amount: 47594 });
    await expectFocus(entryForm(page));
    await continueButton(page).click();
    await payWith(page, cards.good);
    await done(page).waitFor();
    expect(await intentOf(standIn, showcase, "stale@example.com")).toMatchObject({ status: "succeeded", amount: total });
  });

  test("is never for an entry that another tab has changed, even if the price is the same", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "shared@example.com");
    await cardNumber(page).waitFor();
    // As when a browser restores two tabs from the same one, which was closed.
    const kept = await page.evaluate(() => JSON.stringify({ ...JSON.parse(sessionStorage.getItem("entry-attempt") ?? "{}"), owner: undefined }));
    const second = await page.context().newPage();
    await standInForStripe(second, standIn);
    await second.addInitScript((attempt) => sessionStorage.setItem("entry-attempt", attempt), kept);
    await goTo(second, "/enter-competition");
    await fillEntry(second, "shared@example.com");
    await entryForm(second).getByRole("combobox", { name: "Subcategory", exact: true }).selectOption("Creative");
    await continueButton(second).click();
    await heading(second, "Complete Your Registration").waitFor();
    expect(await entriesOf(showcase, "shared@example.com"), "one entry, the later one").toMatchObject([{ subCategory: "Creative" }]);

    await payWith(page, cards.good);
    await page.getByRole("alert").getByText("This entry was changed in another tab. Nothing was charged.").waitFor();
    expect(await intentOf(standIn, showcase, "shared@example.com")).toMatchObject({ status: "requires_payment_method" });
    await continueButton(page).click();
    await payWith(page, cards.good);
    await done(page).waitFor();
    expect(await entriesOf(showcase, "shared@example.com")).toMatchObject([{ subCategory: "Lamination", paymentStatus: "paid" }]);
  });

  test("is nothing if the page cannot ask the server what the entry is now", async ({ openEntry, showcase, standIn, problems }) => {
    const { page } = await openEntry();
    await goToPayment(page, "unasked@example.com");
    await page.route("**/api/competition-payments/status", (route) => route.abort(), { times: 1 });
    await payWith(page, cards.good);
    await page.getByRole("alert").getByText("We could not check your entry. Nothing was charged. Please try again.").waitFor();
    expect(await intentOf(standIn, showcase, "unasked@example.com")).toMatchObject({ status: "requires_payment_method" });
    await payButton(page).click();
    await done(page).waitFor();
    forgetRefused(problems, "/api/competition-payments/status");
  });

  test("is not changed by the browser's back button while it is being paid", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "back@example.com");
    await cardNumber(page).waitFor();
    const asked = page.waitForRequest("https://api.stripe.com/control/confirm");
    const release = await hold(page, /control\/confirm$/);
    await payWith(page, cards.good);
    await asked;
    for (const times of [1, 2]) {
      await page.goBack();
      await page.getByRole("status").getByText("Your payment is under way.").waitFor();
      expect(await entryForm(page).count(), `after ${times}`).toBe(0);
      expect(await payButton(page).innerText()).toBe("Processing...");
    }
    release();
    await done(page).waitFor();
    expect(await intentOf(standIn, showcase, "back@example.com")).toMatchObject({ status: "succeeded", amount: total });
    expect(await entriesOf(showcase, "back@example.com")).toMatchObject([{ paymentStatus: "paid", paymentAmount: total, additionalCategories: 0 }]);
  });

  test("and was declined leaves the back button working", async ({ openEntry }) => {
    const { page } = await openEntry();
    await goToPayment(page, "back-no@example.com");
    await payWith(page, cards.declined);
    await page.getByRole("alert").getByText("Payment Failed").waitFor();
    // The alert appears before the attempt has ended. Until then the back button is blocked.
    await expect.poll(() => payButton(page).innerText()).toBe("Pay $477.06");
    await settled(page);
    await page.goBack();
    await expectFocus(entryForm(page));
  });
});

describe("money that registers nobody", () => {
  test("without an entry is shown as being looked into, not as a success", async ({ openEntry, standIn, showcase }) => {
    const reply = await fetch(`${showcase.origin}/api/create-competition-payment-intent`, {
      method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ amount: total, competitionData: { primaryCategory: "brows", subCategory: "Lamination" } }),
    });
    const { clientSecret } = (await reply.json()) as { clientSecret: string };
    await standIn.control("pay", { payment_intent: clientSecret.replace(/_secret_.*/, "") });
    const { page } = await openEntry(`/enter-competition?success=true&payment_intent_client_secret=${clientSecret}`);
    await expectFocus(heading(page, held));
    const advice = page.getByText("Please do not pay again.");
    await advice.getByRole("link", { name: /@/ }).waitFor();
    await expectAccessible(page, "money without an entry");
    expect(await done(page).count()).toBe(0);
    const answered = page.waitForResponse("**/api/competition-payments/status");
    await page.getByRole("button", { name: "Ask again" }).click();
    await answered;
    await heading(page, held).waitFor();
    await page.getByRole("button", { name: "Enter somebody else" }).click();
    await expectFocus(entryForm(page));
    expect(page.url()).toMatch(/\/enter-competition$/);
  });

  test("is not shown as a success if the entry is unpaid after saving", async ({ openEntry }) => {
    const { page } = await openEntry();
    await goToPayment(page, "wrong@example.com");
    await cardNumber(page).waitFor();
    await page.route("**/api/competition-entries", (route) => route.fulfill({ status: 201, json: { id: 1, createdAt: "2026-01-01T00:00:00Z", paymentStatus: "abandoned", paymentAmount: total } }));
    await page.route("https://api.stripe.com/control/confirm", async (route) => {
      await page.route("**/api/competition-payments/status", (later) => later.fulfill({ json: { state: "paid", paymentStatus: "abandoned", paymentAmount: total } }));
      await route.fallback();
    });
    await payWith(page, cards.good);
    await heading(page, held).waitFor();
  });

  test("because all of it was refunded is shown as refunded", async ({ openEntry, showcase, browser }) => {
    const { page } = await openEntry();
    await goToPayment(page, "refunded@example.com");
    await payWith(page, cards.good);
    await done(page).waitFor();
    const [entry] = await entriesOf(showcase, "refunded@example.com");
    const organiser = await browser.newContext({ baseURL: showcase.origin, storageState: await signedIn(showcase) });
    const refund = (data: object) => organiser.request.post(`/api/competition-entries/${entry!.id}/refund`, { data });
    expect((await refund({ amountCents: 100 })).status()).toBe(200);
    await reload(page);
    await heading(page, "A part of your payment was given back").waitFor();
    expect((await refund({})).status()).toBe(200);
    await reload(page);
    await heading(page, "Your payment was given back").waitFor();
    expect(await done(page).count()).toBe(0);
    await page.getByRole("button", { name: "Go to the form" }).click();
    await goToPayment(page, "refunded@example.com");
    expect(await page.getByRole("main").getByRole("alert").count(), "nothing is paid for that person").toBe(0);
    await payWith(page, cards.good);
    await done(page).waitFor();
    await organiser.close();
  });
});

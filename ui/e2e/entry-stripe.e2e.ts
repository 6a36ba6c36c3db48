import { describe } from "vitest";
import { answerByKeyboard } from "./support/answers";
import { answersOf, continueButton, done, entriesOf, entryForm, goToPayment, readyEntry, total } from "./support/entry";
import { expectAccessible } from "./support/axe";
import { goTo, launch, reload, visit } from "./support/browser";
import { forgetRefused, hold } from "./support/admin";
import { expectFocus, press, tabTo } from "./support/keyboard";
import { cardFrame, cards, scriptAddress, standInForStripe, stripeOrigins } from "./support/stripe";
import { cardNumber, expect, heading, intentOf, payButton, payWith, test } from "./support/stripe-test";

describe("paying with a card", () => {
  test("by keyboard alone; Stripe is asked from the payment step on and not before, and no policy is broken", async ({ openEntry, showcase, standIn }) => {
    const { page, asked } = await openEntry(`/enter-competition?category=${encodeURIComponent("Brows - Lamination")}`);
    const form = await readyEntry(page);
    await answerByKeyboard(page, form, answersOf("card@example.com"));
    expect(asked, "nothing of a payment yet").toEqual([]);
    await press(page, continueButton(page));
    await expectFocus(heading(page, "Complete Your Registration"));
    await cardNumber(page).waitFor();
    expect(asked[0]).toBe(scriptAddress);
    await expect.poll(() => payButton(page).isEnabled()).toBe(true);
    await expectAccessible(page, "the payment step");

    const back = page.getByRole("button", { name: "Back to the form" });
    await tabTo(page, back);
    await page.keyboard.press("Shift+Tab");
    await expectFocus(payButton(page));
    await page.keyboard.press("Enter");
    await cardFrame(page).getByText("Your card number is incomplete.").waitFor();
    await page.getByRole("alert").getByText("Payment Failed").waitFor();
    expect(await intentOf(standIn, showcase, "card@example.com")).toMatchObject({ status: "requires_payment_method", amount: total });

    await expect.poll(() => payButton(page).isEnabled()).toBe(true);
    await expectFocus(payButton(page));
    await page.keyboard.press("Shift+Tab");
    await expectFocus(cardNumber(page));
    await page.keyboard.type(cards.good);
    await expect.poll(() => cardNumber(page).inputValue()).toBe(cards.good);
    await page.keyboard.press("Tab");
    await expectFocus(payButton(page));
    await page.keyboard.press("Enter");
    await expectFocus(done(page));
    await page.getByRole("status").getByText("Payment Successful").waitFor();
    expect(await entriesOf(showcase, "card@example.com")).toMatchObject([{ paymentStatus: "paid", paymentAmount: total }]);
    expect(await intentOf(standIn, showcase, "card@example.com")).toMatchObject({ status: "succeeded" });
    expect(showcase.mails().filter(({ to }) => to === "card@example.com")).toHaveLength(1);
  });

  test("that is declined, and then with another", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "no@example.com");
    // The frame is styled by its script, which says so when it is done.
    await expect.poll(() => payButton(page).isEnabled()).toBe(true);
    const style = await cardNumber(page).evaluate((input) => {
      const { backgroundColor, borderRadius } = getComputedStyle(input);
      return { backgroundColor, borderRadius, color: getComputedStyle(document.body).color, font: getComputedStyle(document.body).fontFamily };
    });
    expect(style, "in the site's colours").toEqual({ backgroundColor: "rgb(255, 253, 250)", borderRadius: "2px", color: "rgb(42, 21, 36)", font: expect.stringContaining("DM Sans") });
    await payWith(page, cards.declined);
    await page.getByRole("alert").getByText("Payment Failed", { exact: true }).waitFor();
    await page.getByRole("alert").getByText("Your card was declined.", { exact: true }).waitFor();
    await expect.poll(() => payButton(page).innerText()).toBe("Pay $477.06");
    await expectAccessible(page, "a declined card");
    await payWith(page, cards.good);
    await done(page).waitFor();
    expect(await entriesOf(showcase, "no@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
    expect(await intentOf(standIn, showcase, "no@example.com")).toMatchObject({ status: "succeeded" });
  });

  test("whose answer is lost on the way is not paid twice", async ({ openEntry, showcase, standIn, problems }) => {
    const { page } = await openEntry();
    await goToPayment(page, "lost@example.com");
    await cardNumber(page).waitFor();
    await page.route("https://api.stripe.com/control/confirm", async (route) => {
      await fetch(`${standIn.origin}/control/confirm`, { method: "POST", body: route.request().postData() ?? "" });
      await route.abort();
    });
    await payWith(page, cards.good);
    await done(page).waitFor();
    expect(await intentOf(standIn, showcase, "lost@example.com")).toMatchObject({ status: "succeeded" });
    expect(await entriesOf(showcase, "lost@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
    forgetRefused(problems, "https://api.stripe.com/");
  });

  test("is checked with the server when Stripe can no longer be reached", async ({ openEntry, showcase, standIn, problems }) => {
    const { page } = await openEntry();
    await goToPayment(page, "cut@example.com");
    await cardNumber(page).waitFor();
    await page.route("https://api.stripe.com/control/confirm", async (route) => {
      await fetch(`${standIn.origin}/control/confirm`, { method: "POST", body: route.request().postData() ?? "" });
      await page.route("https://api.stripe.com/**", (later) => later.abort());
      await route.abort();
    });
    await payWith(page, cards.good);
    await done(page).waitFor();
    expect(await entriesOf(showcase, "cut@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
    forgetRefused(problems, "https://api.stripe.com/");
  });

  test("after a reload: the same entry, the same payment", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "again@example.com");
    await cardNumber(page).fill(cards.declined);
    await payButton(page).click();
    await page.getByRole("alert").getByText("Payment Failed").waitFor();
    const { id } = await intentOf(standIn, showcase, "again@example.com");
    await reload(page);
    const form = await readyEntry(page);
    await form.getByText("We kept what you typed last time").waitFor();
    expect(await form.getByRole("textbox", { name: "Email" }).inputValue()).toBe("again@example.com");
    expect(await form.getByRole("combobox", { name: "Subcategory", exact: true }).inputValue()).toBe("Lamination");
    expect(await form.getByRole("checkbox", { name: /Competition Terms/ }).isChecked(), "the agreement has to be given again").toBe(false);
    for (const box of await form.getByRole("checkbox").all()) await box.check();
    await continueButton(page).click();
    await cardNumber(page).fill(cards.good);
    const release = await hold(page, "/api/competition-payments/status");
    await payButton(page).dblclick();
    release();
    await done(page).waitFor();
    expect(await intentOf(standIn, showcase, "again@example.com")).toMatchObject({ id, status: "succeeded" });
    expect(await entriesOf(showcase, "again@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
  });

  test("waits for a script that does not come, and can be asked for it again", async ({ openEntry, standIn, problems }) => {
    const { page } = await openEntry();
    await page.route(scriptAddress, (route) => route.abort());
    await goToPayment(page, "script@example.com");
    const alert = page.getByRole("alert").filter({ hasText: "The card form could not be loaded." });
    await alert.waitFor();
    await expectAccessible(page, "a payment step without its script");
    await page.unrouteAll();
    await standInForStripe(page, standIn);
    await alert.getByRole("button", { name: "Load the card form again" }).click();
    await cardNumber(page).waitFor();
    forgetRefused(problems, scriptAddress);
  });
});

describe("a way to pay that leaves the site", () => {
  test("comes back to a complete registration", async ({ openEntry, showcase }) => {
    const { page } = await openEntry();
    await goToPayment(page, "bank@example.com");
    await payWith(page, cards.redirecting);
    await expectFocus(done(page));
    expect(page.url(), "no secret stays in the address").toMatch(/\/enter-competition\?success=true$/);
    expect(await entriesOf(showcase, "bank@example.com")).toMatchObject([{ paymentStatus: "paid", paymentAmount: total }]);
    await goTo(page, "/enter-competition");
    expect(await (await readyEntry(page)).getByRole("textbox", { name: "Email" }).inputValue()).toBe("");
  });

  test("comes back in another browser: succeeded, and failed with a way to try again", async ({ openEntry, showcase, standIn }) => {
    for (const outcome of ["succeed", "decline"]) {
      const email = `fresh-${outcome}@example.com`;
      const { page } = await openEntry();
      await goToPayment(page, email);
      let address = "";
      await page.route(`${standIn.origin}/control/authorize**`, async (route) => {
        address = `${route.request().url()}&outcome=${outcome}`;
        await route.fulfill({ contentType: "text/html", body: "<title>The bank</title>" });
      });
      await payWith(page, cards.redirecting);
      await expect.poll(() => address).not.toBe("");
      // A browser that has never seen the form.
      const fresh = await openEntry("/healthz");
      await goTo(fresh.page, address);
      if (outcome === "decline") {
        await expectFocus(heading(fresh.page, "Payment Failed"));
        await fresh.page.getByText("The payment was not completed, and nothing was charged.").waitFor();
        await expectAccessible(fresh.page, "a payment that failed elsewhere");
        expect(await entriesOf(showcase, email)).toMatchObject([{ paymentStatus: "pending" }]);
        await fresh.page.getByRole("button", { name: "Try the payment again" }).click();
        await expect.poll(() => payButton(fresh.page).innerText()).toBe("Pay $477.06");
        await payWith(fresh.page, cards.good);
      }
      await done(fresh.page).waitFor();
      expect(await entriesOf(showcase, email)).toMatchObject([{ paymentStatus: "paid", paymentAmount: total }]);
    }
  });

  test("that takes its time is followed until it is done", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "slow@example.com");
    await payWith(page, cards.slow);
    await expectFocus(heading(page, "Your payment is being processed"));
    await expectAccessible(page, "a payment that is processed");
    expect(await entriesOf(showcase, "slow@example.com")).toMatchObject([{ paymentStatus: "pending" }]);
    const { id } = await intentOf(standIn, showcase, "slow@example.com");
    await reload(page);
    await heading(page, "Your payment is being processed").waitFor();
    await goTo(page, "/enter-competition");
    await heading(page, "Your payment is being processed").waitFor();
    await standIn.control("settle", { payment_intent: id });
    await done(page).waitFor();
    expect(await entriesOf(showcase, "slow@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
  });

  test("that fails in the end is shown as failed", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "slowly-no@example.com");
    await payWith(page, cards.slow);
    await heading(page, "Your payment is being processed").waitFor();
    await standIn.control("settle", { payment_intent: (await intentOf(standIn, showcase, "slowly-no@example.com")).id, outcome: "decline" });
    await heading(page, "Payment Failed").waitFor();
    await page.getByRole("button", { name: "Back to the form" }).click();
    expect(await entryForm(page).getByRole("textbox", { name: "Full name" }).inputValue()).toBe("Ana Núñez");
  });

  test("can be checked again after a check has failed", async ({ openEntry, standIn, showcase, problems }) => {
    const { page } = await openEntry();
    await goToPayment(page, "vain@example.com");
    await page.route("https://api.stripe.com/control/confirm", async (route) => {
      await page.route("**/api/competition-payments/status", (later) => later.abort());
      await route.fallback();
    });
    await payWith(page, cards.redirecting);
    await heading(page, "We could not check your payment").waitFor();
    await page.getByText("Please do not pay again until you know its status.").waitFor();
    await expectAccessible(page, "a question that failed");
    await page.unrouteAll();
    await standInForStripe(page, standIn);
    await page.getByRole("button", { name: "Ask again" }).click();
    await done(page).waitFor();
    expect(await entriesOf(showcase, "vain@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
    forgetRefused(problems, "/api/competition-payments/status");
  });

  test("from which somebody comes back with the browser's own button, in a browser that refuses Stripe's frame cookies and storage", async ({ showcase, standIn, problems }) => {
    const browser = await launch({ whole: true });
    try {
      const { page, close } = await visit(browser, showcase.origin, { others: [...stripeOrigins, standIn.origin] }, problems);
      await standInForStripe(page, standIn);
      await page.route(`${standIn.origin}/control/authorize**`, (route) => route.fulfill({ contentType: "text/html", body: "<title>The bank</title>" }));
      await page.addInitScript(() => addEventListener("pageshow", ({ persisted }) => Object.assign(globalThis, { persisted })));
      await goTo(page, "/enter-competition");
      await goToPayment(page, "blocked@example.com");
      await cardNumber(page).waitFor();
      const refused = await page.frames()[1]!.evaluate(() => {
        document.cookie = "mid=1; SameSite=None; Secure";
        try {
          return [document.cookie, String(localStorage.length)];
        } catch (error) {
          return [document.cookie, (error as DOMException).name];
        }
      });
      expect(refused).toEqual(["", "SecurityError"]);
      await payWith(page, cards.redirecting);
      await expect.poll(() => page.title()).toBe("The bank");
      expect((await intentOf(standIn, showcase, "blocked@example.com")).status).toBe("requires_action");
      await page.goBack({ waitUntil: "commit" });
      expect(await page.evaluate(() => (globalThis as unknown as { persisted: boolean }).persisted), "from the back/forward cache").toBe(true);
      await heading(page, "Payment Failed").waitFor();
      await page.getByRole("button", { name: "Try the payment again" }).click();
      await payWith(page, cards.good);
      await done(page).waitFor();
      expect(await entriesOf(showcase, "blocked@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
      await close();
    } finally {
      await browser.close();
    }
  });

  test("is checked at growing intervals, and not for ever", async ({ openEntry }) => {
    const { page } = await openEntry("/healthz");
    await page.clock.install();
    const asked: number[] = [];
    await page.route("**/api/competition-payments/status", async (route) => {
      asked.push(await page.evaluate(() => Date.now()));
      await route.fulfill({ json: { state: "processing", paymentStatus: "pending", paymentAmount: total } });
    });
    await goTo(page, "/enter-competition?success=true&payment_intent_client_secret=pi_1_secret_1");
    await heading(page, "Your payment is being processed").waitFor();
    for (const [index, least] of [2, 3, 5, 5, 10, 10, 15, 15, 20, 20].entries()) {
      const number = index + 2;
      // The pause begins with the previous answer, whose time varies. So the clock is advanced until the next request.
      await expect.poll(async () => { await page.clock.runFor(1000); return asked.length; }, { interval: 5 }).toBe(number);
      expect(Math.round((asked[index + 1]! - asked[index]!) / 1000), `before request ${number}`).toBeGreaterThanOrEqual(least);
    }
    await page.getByText("It takes longer than usual.").waitFor();
    await page.clock.runFor(120_000);
    expect(asked).toHaveLength(11);
    await page.getByRole("button", { name: "Ask again" }).click();
    await expect.poll(() => asked.length).toBe(12);
  });

  test("that was cancelled is shown as cancelled, and the next attempt is a new payment", async ({ openEntry, showcase, standIn }) => {
    const { page } = await openEntry();
    await goToPayment(page, "cancelled@example.com");
    await cardNumber(page).waitFor();
    const { id } = await intentOf(standIn, showcase, "cancelled@example.com");
    await standIn.control("cancel", { payment_intent: id, silent: true });
    await goTo(page, "/enter-competition?success=true");
    await heading(page, "This payment was cancelled").waitFor();
    await expectAccessible(page, "a cancelled payment");
    await page.getByRole("button", { name: "Back to the form" }).click();
    await readyEntry(page);
    for (const box of await entryForm(page).getByRole("checkbox").all()) await box.check();
    await continueButton(page).click();
    await payWith(page, cards.good);
    await done(page).waitFor();
    expect(await entriesOf(showcase, "cancelled@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
  });
});

import type { Locator, Page } from "playwright-core";
import { describe } from "vitest";
import { fakeReply, hold } from "./support/admin";
import { answerAtOnce, answerByKeyboard, list, radio, storedRow, text, tick, type Answer } from "./support/answers";
import { expectAccessible } from "./support/axe";
import { goTo, phone, reload, settled } from "./support/browser";
import { expectFocus, press } from "./support/keyboard";
import { expect, test } from "./support/test";

const person = (email: string) => [
  text("name", "Full name", "Ana Núñez"),
  text("email", "Email", email),
  text("phone", "Phone", "+1 (201) 555-0123"),
];
const experience = "Twelve years of classic and volume work, and four of teaching it to others.";

interface Journey {
  kind: string;
  path: string;
  form: string;
  send: string;
  email: string;
  /** How many messages the empty form gives. */
  missing: number;
  success: string;
  answers: Answer[];
}

const judging = [
  text("company", "Company or business name", "Studio Uno"),
  list("expertise", "Area of expertise", "Makeup", "makeup"),
  text("experience", "Professional experience", experience),
  radio("availability", "Availability", "March 29 only", "march-29"),
  tick("termsAccepted", "I agree to the Judge Terms & Conditions"),
  tick("photographyConsent", "I consent to photography and videography at the event"),
];

const journeys: Journey[] = [
  {
    kind: "judge-applications", path: "/apply-judge", form: "Judge application", send: "Submit Application", email: "judge@example.com", missing: 9, success: "Application Submitted!",
    answers: [
      ...person("judge@example.com"),
      ...judging,
    ],
  },
  {
    kind: "sponsor-applications", path: "/apply-sponsor", form: "Sponsor application", send: "Submit Application", email: "brand@example.com", missing: 15, success: "Sponsor application submitted successfully!",
    answers: [
      text("company", "Company name", "Fine Trays, Inc."),
      text("contactName", "Contact name", "Bo Li"),
      text("email", "Email", "brand@example.com"),
      text("phone", "Phone", "201 555 0177"),
      text("website", "Website", "example.com", "https://example.com"),
      list("businessType", "Business type", "Equipment", "equipment"),
      text("yearsFounded", "Year founded", "2015"),
      list("employeeCount", "Number of employees", "11-50", "11-50"),
      list("sponsorshipTier", "Sponsorship tier", "Gold", "gold"),
      list("budgetRange", "Budget range", "$15,000", "15k-30k"),
      radio("previousSponsorship", "Have you sponsored an event before?", "No", "no"),
      text("marketingGoals", "Marketing goals", "To be seen by studio owners who choose their trays this spring."),
      text("targetAudience", "Target audience", "Studio owners and lash educators in the region."),
      tick("productCategories", "Professional Tools", "Professional Tools"),
      tick("agreementTerms", "I agree to the partnership terms and conditions"),
      tick("agreementMarketing", "I consent to marketing and promotional use of our name and logo"),
    ],
  },
  {
    kind: "professional-demo-registrations", path: "/apply-professional-demo", form: "Professional demo registration", send: "Submit Registration", email: "demo@example.com", missing: 10, success: "Application Submitted Successfully!",
    answers: [
      ...person("demo@example.com"),
      text("company", "Company name", "Studio Due"),
      list("businessType", "Business type", "Freelance", "freelance"),
      text("specializations", "Specializations", "Brow lamination"),
      text("demoTopics", "Demo topics", "From bare brow to finished look"),
      text("targetAudience", "Target audience", "Studio owners"),
      tick("termsAccepted", "I agree to the Demo Terms & Conditions"),
      tick("photographyConsent", "I consent to photography and videography at the event"),
    ],
  },
  {
    kind: "sponsor-inquiries", path: "/sponsors", form: "Sponsor inquiry", send: "Send inquiry", email: "question@example.com", missing: 3, success: "Thank you",
    answers: [
      text("company", "Company name", "Tint & Co"),
      text("email", "Email", "question@example.com"),
      list("interest", "You are interested in", "A vendor booth", "booth"),
      text("message", "Message", "How large is a booth?"),
    ],
  },
];

const speaker = [
  ...person("speaker@example.com"),
  // A cell that a spreadsheet would run is neutralised in the export.
  text("instagram", "Instagram", "@ana.lashes", "'@ana.lashes"),
  text("company", "Company or business name", "Studio \"Tre\", Hoboken"),
  list("expertise", "Area of expertise", "Brow", "brow-services"),
  list("speakingExperience", "Speaking experience", "I speak", "experienced"),
  text("experience", "Professional experience", experience),
  text("topicProposal", "Topic proposal", "One brow from consultation to aftercare: reading growth, choosing a shape, laminating without harm to the hair."),
  text("portfolio", "Portfolio or website", "example.com/ana", "https://example.com/ana"),
  tick("termsAccepted", "I agree to the Speaker Terms & Conditions"),
  tick("photographyConsent", "I consent to photography and videography at the event"),
];

/** The form, once its script is there. */
async function readyForm(page: Page, name: string, send: string): Promise<{ form: Locator; button: Locator }> {
  const form = page.getByRole("form", { name });
  const button = form.getByRole("button", { name: send });
  await form.scrollIntoViewIfNeeded();
  await expect.poll(() => button.isEnabled()).toBe(true);
  return { form, button };
}

const summaryOf = (form: Locator) => form.getByRole("group", { name: /Please check|All fixed/ });

describe("an application, by keyboard alone", () => {
  test("a speaker: sent empty, mended, the server away, sent again, stored once and confirmed", async ({ showcase, open, problems }) => {
    const page = await open("/apply-speaker");
    const { form, button } = await readyForm(page, "Speaker application", "Submit Application");
    const title = await page.title();
    await press(page, button);
    const summary = summaryOf(form);
    await expectFocus(summary);
    await summary.getByRole("alert").waitFor();
    expect(await page.title()).toBe(`Error: ${title}`);
    expect(await summary.getByRole("listitem").allInnerTexts()).toEqual([
      "Name must be at least 2 characters",
      "Please enter a valid email address",
      "Please enter a valid phone number",
      "Company/Business name is required",
      "Please select your area of expertise",
      "Please select your speaking experience level",
      "Please provide at least 50 characters about your experience",
      "Please provide at least 100 characters for your topic proposal",
      "You must agree to the speaker terms and conditions",
      "You must consent to photography/videography",
    ]);
    await expectAccessible(page, "the speaker form with every error");
    expect(showcase.records("speaker-applications")).toEqual([]);

    await press(page, summary.getByRole("link", { name: "Name must be at least 2 characters" }));
    const name = form.getByRole("textbox", { name: "Full name" });
    await expectFocus(name);
    await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
    await answerByKeyboard(page, form, speaker);
    await expect.poll(() => summary.getByRole("heading").innerText()).toBe("All fixed. You can send the form now.");
    await expect.poll(() => form.locator("[aria-invalid=true]").count()).toBe(0);

    await showcase.stop();
    await press(page, button);
    const alert = page.getByRole("alert");
    // The pointer keeps the notification open, which otherwise closes after 5 s.
    await alert.getByText("There was an error submitting your application. Please try again.").hover();
    await expectFocus(button);
    expect((await form.getByText("Not sent.").boundingBox())!.y).toBeLessThan((await button.boundingBox())!.y);
    await page.keyboard.press("F8");
    await expectFocus(page.getByRole("region", { name: /Notifications/ }));
    await expectAccessible(page, "the speaker form and a failure");
    expect(await name.inputValue()).toBe("Ana Núñez");
    await press(page, alert.getByRole("button", { name: "Close notification" }));
    await expectFocus(button);
    expect(problems.splice(0).filter((problem) => !problem.includes("/api/speaker-applications"))).toEqual([]);

    await showcase.start();
    await page.keyboard.press("Enter");
    await expectFocus(page.getByRole("heading", { name: "Application Submitted!" }));
    await page.getByText("follow up by February 15th, 2026").first().waitFor();
    await expectAccessible(page, "the speaker form, sent");
    expect(showcase.records("speaker-applications")).toMatchObject([storedRow(speaker)]);
    expect(showcase.mails().map(({ to }) => to)).toContain("speaker@example.com");

    const panel = page.locator(".success-panel");
    expect(await panel.getByRole("listitem").allInnerTexts()).toContain("You will hear from us by February 15th, 2026, whatever we decide.");
    await panel.getByText("Not there in ten minutes? Look in spam").waitFor();
    expect(await panel.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([expect.stringMatching(/^mailto:/), "/event.ics", "/schedule", "/apply-judge"]);
    expect(await panel.getByRole("button").count(), "nothing invites a second one").toBe(0);
    await press(page, panel.getByRole("link", { name: "Apply as judge" }));
    await page.getByRole("heading", { level: 1, name: "Apply as Judge" }).waitFor();
    expect(await page.title()).not.toContain("Error");
  });

  test("the waitlist: sent empty, mended, the server busy, sent again, stored once and confirmed", { tags: ["firefox"] }, async ({ showcase, open }) => {
    const page = await open("/#waitlist");
    await expectFocus(page.getByRole("heading", { name: "Join the waitlist" }));
    const { form, button } = await readyForm(page, "Waitlist signup", "Join the waitlist");
    await press(page, button);
    const summary = summaryOf(form);
    await expectFocus(summary);
    expect(await summary.getByRole("listitem").allInnerTexts()).toEqual(["Name must be at least 2 characters", "Please enter a valid email address"]);
    await expectAccessible(page, "the waitlist with every error");
    const answers = [
      text("name", "Full name", "Bo"),
      text("email", "Email", "bo@example.com"),
      tick("wantToCompete", "I want to compete"),
      text("categories", "Categories you may enter", "Lash lift"),
      radio("additionalNominations", "How many categories?", "Three", "2"),
    ];
    await press(page, summary.getByRole("link", { name: "Name must be at least 2 characters" }));
    await answerByKeyboard(page, form, answers);

    await fakeReply(page, "/api/waitlist-signups", 503, { detail: "The server is busy. Please try again in a minute." }, 1);
    await press(page, button);
    await page.getByRole("alert").getByText("The server is busy. Please try again in a minute.").waitFor();
    expect(showcase.records("waitlist-signups")).toEqual([]);

    await press(page, button);
    await expectFocus(page.getByRole("heading", { name: "You are on the list" }));
    await expectAccessible(page, "the waitlist, sent");
    expect(showcase.records("waitlist-signups")).toMatchObject([storedRow(answers)]);
    expect(showcase.mails().map(({ to }) => to)).toContain("bo@example.com");
  });

  test.for(journeys)("$kind: sent empty, mended, sent, stored and confirmed", async (journey, { showcase, open }) => {
    const page = await open(journey.path);
    const { form, button } = await readyForm(page, journey.form, journey.send);
    await press(page, button);
    const summary = summaryOf(form);
    await expectFocus(summary);
    await expect.poll(() => summary.getByRole("listitem").count()).toBe(journey.missing);
    await expectAccessible(page, `${journey.form} with every error`);

    await answerByKeyboard(page, form, journey.answers);
    await press(page, button);
    await expectFocus(page.getByRole("heading", { name: journey.success }));
    await expectAccessible(page, `${journey.form}, sent`);
    expect(showcase.records(journey.kind)).toMatchObject([storedRow(journey.answers)]);
    expect(showcase.mails().map(({ to }) => to)).toContain(journey.email);
    const again = page.getByRole("button", { name: "Send another application" });
    if (journey.kind !== "sponsor-applications") return expect(await again.count()).toBe(0);
    await press(page, again);
    await expectFocus(form.getByRole("textbox").first());
  });
});

test("on a phone the longest list of errors begins below the bars", async ({ open }) => {
  const page = await open("/apply-sponsor", { viewport: phone });
  const { form, button } = await readyForm(page, "Sponsor application", "Submit Application");
  await button.click();
  await expectFocus(summaryOf(form));
  const bars = await page.locator(".form-progress").evaluate((element) => element.getBoundingClientRect().bottom);
  const heading = await summaryOf(form).getByRole("heading").boundingBox();
  expect(heading?.y).toBeGreaterThanOrEqual(bars);
});

test.for([
  { path: "/", form: "Waitlist signup", send: "Join the waitlist" },
  { path: "/sponsors", form: "Sponsor inquiry", send: "Send inquiry" },
])("a slow click on '$send' sends, whatever leaving the field before it has to say", async ({ path, form: name, send }, { open }) => {
  const page = await open(path);
  const { form, button } = await readyForm(page, name, send);
  const email = form.getByRole("textbox", { name: "Email" });
  await email.pressSequentially("x");
  await button.hover();
  await page.mouse.down();
  await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(false);
  // After this, an effect of leaving the field would be visible.
  await settled(page);
  expect(await form.locator("[aria-invalid=true]").count(), "nothing moves under the press").toBe(0);
  await page.mouse.up();
  await expectFocus(summaryOf(form));
});

test("what is typed while a form is still becoming live is in it, and is sent", async ({ open, showcase }) => {
  let release = () => {};
  const page = await open("/", { prepare: async (fresh) => void (release = await hold(fresh, /registration-form-/)) });
  const form = page.getByRole("form", { name: "Waitlist signup" });
  await form.getByRole("textbox", { name: "Full name" }).pressSequentially("Ada Early");
  await page.keyboard.press("Tab");
  await page.keyboard.type("early@example.com");
  const button = form.getByRole("button", { name: "Join the waitlist" });
  expect(await button.isDisabled()).toBe(true);
  release();
  await expect.poll(() => button.isEnabled()).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "You are on the list" }).waitFor();
  expect(showcase.records("waitlist-signups")).toContainEqual(expect.objectContaining({ name: "Ada Early", email: "early@example.com" }));
});

test("a press that ends beside the button leaves the message at the field", async ({ open }) => {
  const page = await open("/sponsors");
  const { form, button } = await readyForm(page, "Sponsor inquiry", "Send inquiry");
  await form.getByRole("textbox", { name: "Email" }).pressSequentially("x");
  await button.hover();
  await page.mouse.down();
  await page.mouse.move(2, 2);
  await page.mouse.up();
  await form.getByText("Please enter a valid email address").waitFor();
  expect(await summaryOf(form).count()).toBe(0);
});

test("a failure is no longer told of once the form is sent again", async ({ open }) => {
  const page = await open("/#waitlist", { prepare: (fresh) => fresh.clock.install() });
  const { form, button } = await readyForm(page, "Waitlist signup", "Join the waitlist");
  await form.getByRole("textbox", { name: "Full name" }).fill("Ana");
  const email = form.getByRole("textbox", { name: "Email" });
  await email.fill("ana@example.com");
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  const alert = page.getByRole("region", { name: "Notifications" }).getByRole("alert");
  const refuse = (status: number, problem: object) => fakeReply(page, "/api/waitlist-signups", status, problem, 1);

  await refuse(503, { detail: "The server is busy." });
  await button.click();
  await alert.getByText("The server is busy.").waitFor();
  await refuse(422, { detail: "One answer is wrong.", errors: { email: "Please enter a valid email address" } });
  await button.click();
  await expectFocus(summaryOf(form));
  await alert.getByText("One answer is wrong.").waitFor();
  expect(await alert.getByText("The server is busy.").count()).toBe(0);

  await refuse(503, { detail: "The server is busy." });
  await button.click();
  await alert.getByText("The server is busy.").waitFor();
  await email.fill("x");
  await button.click();
  await expectFocus(summaryOf(form));
  expect(await alert.innerText()).toBe("");
});

describe("what was typed", () => {
  test("in two tabs is all kept, and what only the other has typed outlives the sending of one", async ({ open, showcase }) => {
    const first = await open("/apply-judge");
    await readyForm(first, "Judge application", "Submit Application");
    const form = (page: Page) => page.getByRole("form", { name: "Judge application" });
    const field = (page: Page, name: string) => form(page).getByRole("textbox", { name });
    const another = async () => {
      const page = await first.context().newPage();
      await goTo(page, "/apply-judge");
      await readyForm(page, "Judge application", "Submit Application");
      return page;
    };
    const typed = async (page: Page, name: string, words: string, reader: Page) => {
      await field(page, name).fill(words);
      // The other tab must see the draft that this tab has stored.
      await reader.waitForFunction((text) => localStorage.getItem("draft:judge-applications")?.includes(text), words);
    };

    const second = await another();
    await typed(first, "Professional experience", experience, second);
    await typed(second, "Full name", "Bo Li", first);
    await first.close();
    await reload(second);
    await form(second).getByText("We kept what you typed last time").waitFor();
    expect(await field(second, "Full name").inputValue()).toBe("Bo Li");
    expect(await field(second, "Professional experience").inputValue()).toBe(experience);

    const third = await another();
    await typed(third, "Instagram", "@third", second);
    await third.close();
    await answerAtOnce(form(second), [...person("two-tabs@example.com"), ...judging]);
    await form(second).getByRole("button", { name: "Submit Application" }).click();
    await second.getByRole("heading", { name: "Application Submitted!" }).waitFor();
    await reload(second);
    await form(second).getByText("We kept what you typed last time").waitFor();
    expect(await field(second, "Instagram").inputValue()).toBe("@third");
    expect(await field(second, "Full name").inputValue()).toBe("");
    expect(showcase.records("judge-applications")).toContainEqual(expect.objectContaining({ email: "two-tabs@example.com", instagram: "" }));
  });

  test("is said to be kept once it is, and not where the browser keeps nothing", async ({ open }) => {
    const page = await open("/apply-judge");
    const said = page.getByText("What you type is kept on this device until you send it.");
    const { form: judge } = await readyForm(page, "Judge application", "Submit Application");
    expect(await said.count()).toBe(0);
    await judge.getByRole("textbox", { name: "Full name" }).fill("Ana");
    await said.waitFor();

    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        document.documentElement.dataset.refused = "";
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await goTo(page, "/apply-speaker");
    const { form: speaking } = await readyForm(page, "Speaker application", "Submit Application");
    await speaking.getByRole("textbox", { name: "Full name" }).fill("Ana");
    await page.locator("html[data-refused]").waitFor();
    expect(await said.count()).toBe(0);
  });

  test("is there again after a reload, until it is discarded", async ({ open }) => {
    const page = await open("/apply-judge");
    const { form } = await readyForm(page, "Judge application", "Submit Application");
    const name = form.getByRole("textbox", { name: "Full name" });
    await name.fill("Ana");
    await form.getByRole("textbox", { name: "Email" }).fill("ana@gmial.com");
    await reload(page);
    const notice = form.getByRole("status").filter({ hasText: "We kept what you typed last time" });
    await press(page, notice.getByRole("button", { name: "Continue" }));
    await expectFocus(name);
    expect(await notice.count()).toBe(0);
    await reload(page);
    await notice.waitFor();
    expect(await name.inputValue()).toBe("Ana");
    await form.getByRole("button", { name: "Did you mean ana@gmail.com?" }).waitFor();
    await expectAccessible(page, "a draft that came back");
    await form.getByRole("button", { name: "Start over" }).click();
    await form.getByRole("button", { name: "Keep it" }).click();
    expect(await name.inputValue(), "nothing is lost by one press").toBe("Ana");
    await form.getByRole("button", { name: "Start over" }).click();
    await form.getByRole("button", { name: "Discard what I typed" }).click();
    await expect.poll(() => name.inputValue()).toBe("");
    await reload(page);
    await readyForm(page, "Judge application", "Submit Application");
    expect(await form.getByText("We kept what you typed last time").count()).toBe(0);
  });

  test("stays while a legal text is read; the dialog keeps the focus and gives it back", async ({ open }) => {
    const page = await open("/apply-speaker");
    const { form } = await readyForm(page, "Speaker application", "Submit Application");
    await form.getByRole("textbox", { name: "Full name" }).fill("Ana");
    for (const title of ["Speaker Terms & Conditions", "Photography & Videography Release"]) {
      const opener = form.getByRole("button", { name: `Read the ${title}` });
      await press(page, opener);
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.waitFor();
      await expectAccessible(page, title);
      for (let presses = 0; presses < 4; presses += 1) {
        await page.keyboard.press("Tab");
        const outside = await page.evaluate(() => document.activeElement !== document.body && !document.activeElement?.closest("dialog"));
        expect(outside, "the focus behind the dialog").toBe(false);
      }
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await expectFocus(opener);
    }
    expect(await form.getByRole("textbox", { name: "Full name" }).inputValue()).toBe("Ana");
  });

  test("closes a dialog by a click beside it, but not by a text selection that ends there", async ({ open }) => {
    const page = await open("/apply-speaker");
    const { form } = await readyForm(page, "Speaker application", "Submit Application");
    await form.getByRole("button", { name: "Read the Speaker Terms & Conditions" }).click();
    const dialog = page.getByRole("dialog", { name: "Speaker Terms & Conditions" });
    await dialog.getByRole("heading", { name: "Speaker Terms & Conditions" }).hover();
    await page.mouse.down();
    await page.mouse.move(5, 5, { steps: 3 });
    await page.mouse.up();
    expect(await dialog.isVisible()).toBe(true);
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: "detached" });
  });
});

test("what only a machine fills in reaches the server", async ({ open, showcase }) => {
  const page = await open("/#waitlist");
  const { form, button } = await readyForm(page, "Waitlist signup", "Join the waitlist");
  await form.getByRole("textbox", { name: "Full name" }).fill("Bot");
  await form.getByRole("textbox", { name: "Email" }).fill("bot@example.com");
  await form.locator(".honeypot input").fill("https://example.com/casino");
  const sent = page.waitForRequest("**/api/waitlist-signups");
  await button.click();
  expect((await sent).postDataJSON()).toMatchObject({ referralNote: "https://example.com/casino" });
  await page.getByRole("heading", { name: "You are on the list" }).waitFor();
  expect(showcase.mails().map(({ to }) => to)).not.toContain("bot@example.com");
});

import { describe, expect, it } from "vitest";
import type { PaymentStatus } from "./api";
import { initialState, transition, type Due, type EntryEvent, type EntryState, type Step } from "./machine";

const due: Due = { clientSecret: "pi_1_secret_x", amountCents: 48492, person: { name: "Ana", email: "ana@example.com", phone: "" }, categories: ["Lash Lift"] };
const paid = { cents: 48492, id: 7, email: "ana@example.com", categories: ["Lash Lift"] };
const status = (change: Partial<PaymentStatus>): PaymentStatus => ({ state: "unpaid", paymentStatus: "pending", paymentAmount: 48492, entryId: 7, email: "ana@example.com", categories: [], quote: null, taxLocation: null, ...change });

const form: Step = { name: "form", takesFocus: false };
const formAgain: Step = { name: "form", takesFocus: true };
const payment: Step = { name: "payment", due };
const shown: Step = { name: "status", clientSecret: "pi_0_secret_x" };
const success: Step = { name: "success", paid };
const at = (step: Step, change: Partial<EntryState> = {}): EntryState => ({ ...initialState, step, ...change });

const changes: [from: EntryState, event: EntryEvent, to: EntryState, why: string][] = [
  [at(form), { type: "opened", linked: true, begun: undefined }, at(form, { linked: true }), "a link brought a category"],
  [at(form), { type: "opened", linked: false, begun: "pi_0_secret_x" }, at(form, { begun: "pi_0_secret_x" }), "an earlier payment is asked about"],
  [at(form), { type: "opened", linked: false, begun: undefined, entered: "ada@example.com" }, at(form, { entered: "ada@example.com" }), "an entry was paid for here before"],
  [at(form), { type: "returned", clientSecret: "pi_0_secret_x" }, at(shown), "the provider leads back"],
  [at(form), { type: "returned", clientSecret: undefined }, at({ name: "status", clientSecret: undefined }), "the provider leads back to another browser"],

  [at(form, { begun: "pi_0_secret_x" }), { type: "statusReceived", status: status({}) }, at(form, { begun: "pi_0_secret_x", unpaid: status({}) }), "an unpaid entry can be paid"],
  [at(form, { begun: "pi_0_secret_x" }), { type: "statusReceived", status: status({ entryId: null }) }, at(form, { begun: "pi_0_secret_x" }), "a payment without an entry is nothing to go on with"],
  [at(form, { begun: "pi_0_secret_x" }), { type: "statusReceived", status: status({ state: "cancelled" }) }, at(form), "a cancelled payment is forgotten"],
  [at(form, { begun: "pi_0_secret_x" }), { type: "statusReceived", status: status({ state: "cancelled", paymentStatus: "complimentary" }) }, at(shown, { begun: "pi_0_secret_x" }), "a complimentary entry is shown"],
  [at(form, { begun: "pi_0_secret_x" }), { type: "statusReceived", status: status({ state: "processing" }) }, at(shown, { begun: "pi_0_secret_x" }), "a payment under way is shown"],
  [at(form, { begun: "pi_0_secret_x" }), { type: "statusReceived", status: status({ state: "held" }) }, at(shown, { begun: "pi_0_secret_x" }), "a held payment is shown"],
  [at(form, { begun: "pi_0_secret_x" }), { type: "statusReceived", status: status({ state: "paid", paymentStatus: "refunded" }) }, at(shown, { begun: "pi_0_secret_x" }), "a refund is shown"],
  [at(form, { begun: "pi_0_secret_x" }), { type: "statusReceived", status: status({ state: "paid", paymentStatus: "paid" }) }, at(form, { begun: "pi_0_secret_x" }), "a paid entry is left to `registered`"],
  [at(payment), { type: "statusReceived", status: status({ state: "held" }) }, at(payment), "an answer that comes late changes nothing"],

  [at(form, { refused: { reason: "Busy." } }), { type: "formSent" }, at(form, { busy: true }), "the last refusal is gone"],
  [at(form, { busy: true }), { type: "formAccepted", due }, at(payment), "the payment follows"],
  [at(form, { busy: true }), { type: "formRefused", refusal: { reason: "Busy." } }, at(form, { refused: { reason: "Busy." } }), "the form stays, and says why"],
  [at(shown), { type: "formAccepted", due }, at(shown), "an answer that comes late leads nowhere"],

  [at(payment), { type: "paymentStarted" }, at(payment, { busy: true }), "money may be moving"],
  [at(payment, { busy: true }), { type: "paymentEnded" }, at(payment), "a declined card can be replaced"],
  [at(payment, { busy: true }), { type: "browserBack" }, at(payment, { busy: true }), "nobody leaves while money may be moving"],
  [at(payment), { type: "browserBack" }, at(formAgain), "the browser's button leads to the form"],
  [at(success), { type: "browserBack" }, at(success), "and not from a paid entry"],
  [at(payment, { busy: true }), { type: "formChosen" }, at(formAgain, { busy: true }), "an entry that was changed elsewhere goes back to the form at once"],
  [at(payment, { busy: true }), { type: "statusAsked", clientSecret: "pi_0_secret_x" }, at(shown), "a lost answer is asked for"],
  [at(payment, { busy: true }), { type: "savingFailed", due, paidAs: "pi_1", refused: undefined }, at({ name: "payment", due: { ...due, paidAs: "pi_1", refused: undefined } }, { busy: true }), "saving can be tried again, without paying"],
  [at(payment, { busy: true }), { type: "savingFailed", due, paidAs: undefined, refused: "Not paid." }, at({ name: "payment", due: { ...due, paidAs: undefined, refused: "Not paid." } }, { busy: true }), "what was not paid can be paid again"],
  [at(payment, { busy: true }), { type: "registered", paid }, at(success), "the entry is paid"],

  [at(shown), { type: "paymentChosen", due }, at(payment), "a failed payment is tried again"],
  [at(shown), { type: "registered", paid }, at(success), "the question is answered: paid"],
  [at(shown), { type: "formChosen" }, at(formAgain), "another payment begins in the form"],
  [at(form, { unpaid: status({}) }), { type: "paymentChosen", due }, at(payment, { unpaid: status({}) }), "an unpaid entry is paid without the form"],
];

describe("an entry", () => {
  it.each(changes.map(([from, event, to, why]) => [`${from.step.name} on ${event.type}: ${why}`, from, event, to] as const))("%s", (_, from, event, to) => {
    expect(transition(from, event)).toEqual(to);
  });

  it("is never paid or registered by an event of the form", () => {
    const events: EntryEvent[] = [{ type: "formSent" }, { type: "formAccepted", due }, { type: "formRefused" }, { type: "browserBack" }, { type: "opened", linked: true, begun: "pi_0" }];
    for (const state of [at(payment, { busy: true }), at(shown), at(success)]) {
      for (const event of events) expect(transition(state, event).step, `${state.step.name} on ${event.type}`).toEqual(state.step);
    }
  });
});

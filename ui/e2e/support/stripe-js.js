// The tests' stand-in of Stripe.js: what react-stripe-js calls of it, and what a person does in the Payment Element.
// As the real one does, it asks api.stripe.com (which stripe.ts leads to the stand-in of Stripe's API), puts its field
// into a frame from js.stripe.com, styles elements through the object model, and tells the site nothing of a card.
// It doesn't imitate: real checks of card numbers, wallets, Link, translations.
(() => {
  const unreachable = { error: { type: "api_connection_error", message: "We are experiencing issues connecting to our payments provider." } };

  const ask = async (name, body) => {
    const setting = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const reply = await fetch(`https://api.stripe.com/control/${name}`, setting);
    return reply.json();
  };

  const retrieve = async (clientSecret) => {
    try {
      const { intents } = await ask("state");
      const found = intents.find((intent) => intent.client_secret === clientSecret);
      return found ? { paymentIntent: found } : { error: { type: "invalid_request_error", code: "resource_missing", message: "No such payment_intent" } };
    } catch {
      return unreachable;
    }
  };

  /** What each test card does. */
  const outcomes = { 4242424242424242: "succeed", 4000000000000002: "decline", 4000002500003155: "requires_action", 4000000000000077: "processing" };

  class Emitter {
    #listeners = new Map();
    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }
    once(event, listener) {
      return this.on(event, listener);
    }
    off(event, listener) {
      this.#listeners.set(event, (this.#listeners.get(event) ?? []).filter((known) => known !== listener));
      return this;
    }
    emit(event, detail = {}) {
      for (const listener of this.#listeners.get(event) ?? []) listener({ elementType: "payment", ...detail });
    }
  }

  class PaymentElement extends Emitter {
    constructor(elements, options) {
      super();
      Object.assign(this, { elements, options });
    }
    mount(target) {
      const { variables = {} } = this.elements.options.appearance ?? {};
      this.frame = document.createElement("iframe");
      this.frame.title = "Secure payment input frame";
      this.frame.src = `https://js.stripe.com/elements-inner-payment.html#${encodeURIComponent(JSON.stringify(variables))}`;
      Object.assign(this.frame.style, { width: "100%", height: "150px", border: "0", display: "block" });
      this.listener = ({ source, data }) => source === this.frame.contentWindow && this.hear(data);
      addEventListener("message", this.listener);
      target.append(this.frame);
      this.emit("loaderstart");
    }
    async hear({ ready, typed }) {
      if (typed !== undefined) this.answered?.(typed);
      if (!ready) return;
      const { error } = await retrieve(this.elements.options.clientSecret);
      if (error) this.emit("loaderror", { error });
      else this.emit("ready");
    }
    update(options) {
      Object.assign(this.options, options);
    }
    focus() {
      this.frame.focus();
    }
    blur() {}
    clear() {}
    collapse() {}
    unmount() {
      removeEventListener("message", this.listener);
      this.frame?.remove();
    }
    destroy() {
      this.unmount();
      this.elements.element = null;
    }
    /** The frame holds what is typed, and is asked for it when it is sent. */
    async problemOf() {
      this.typed = await new Promise((settle) => {
        this.answered = settle;
        this.frame.contentWindow.postMessage({ asks: true }, "https://js.stripe.com");
      });
      const error = this.outcome() ? undefined : { type: "validation_error", code: "incomplete_number", message: "Your card number is incomplete." };
      this.frame.contentWindow.postMessage({ problem: error?.message ?? "" }, "https://js.stripe.com");
      return error;
    }
    outcome() {
      return outcomes[this.typed.replace(/\s/g, "")];
    }
  }

  class Elements {
    constructor(options) {
      this.options = options;
      this.element = null;
    }
    create(type, options = {}) {
      if (type !== "payment") throw new Error(`the stand-in has no ${type} element`);
      if (this.element) throw new Error("Can only create one Element of type payment through an instance of Elements.");
      this.element = new PaymentElement(this, options);
      return this.element;
    }
    getElement(type) {
      return type === "payment" ? this.element : null;
    }
    update(options) {
      Object.assign(this.options, options);
    }
    async fetchUpdates() {
      return {};
    }
    async submit() {
      const error = await this.element?.problemOf();
      return error ? { error } : { selectedPaymentMethod: "card" };
    }
  }

  // The wrapper takes an object without these three for something else than Stripe.
  const unused = (name) => () => {
    throw new Error(`the stand-in of Stripe.js was asked for ${name}`);
  };

  const Stripe = (publishableKey) => ({
    elements: (options) => new Elements(options),
    createToken: unused("createToken"),
    createPaymentMethod: unused("createPaymentMethod"),
    confirmCardPayment: unused("confirmCardPayment"),
    registerAppInfo() {},
    _registerWrapper() {},
    retrievePaymentIntent: retrieve,
    async confirmPayment({ elements, confirmParams: { return_url: returnUrl }, redirect }) {
      if (redirect !== "if_required") throw new Error("the page is expected to redirect only if it must");
      const { clientSecret } = elements.options;
      const outcome = elements.element.outcome();
      const asked = { client_secret: clientSecret, publishable_key: publishableKey, outcome, return_url: returnUrl };
      const result = await ask("confirm", asked).catch(() => unreachable);
      const next = result.paymentIntent?.next_action?.redirect_to_url;
      if (!next) return result;
      location.assign(next.url);
      // Leaving takes a moment, in which the page hears nothing.
      return new Promise(() => {});
    },
  });
  Stripe.version = "RELEASE";
  window.Stripe = Stripe;
})();

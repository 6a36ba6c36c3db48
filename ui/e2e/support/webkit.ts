import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { timeout } from "./browser";

const elementKey = "element-6066-11e4-a52e-4f735466cecf";

/** Safari's engine, driven over WebDriver by Debian's driver: Playwright's own build of it cannot be had everywhere. */
export class WebKit {
  readonly #driver: ChildProcess;
  readonly #session: string;

  private constructor(driver: ChildProcess, session: string) {
    this.#driver = driver;
    this.#session = session;
  }

  static async start(program: string): Promise<WebKit> {
    const port = await freePort();
    const driver = spawn(program, [`--port=${port}`], { stdio: "ignore" });
    const address = `http://127.0.0.1:${port}/session`;
    const { sessionId } = await until(() => command<{ sessionId: string }>("POST", address, { capabilities: {} }).catch(() => undefined));
    return new WebKit(driver, `${address}/${sessionId}`);
  }

  async end(): Promise<void> {
    await command("DELETE", this.#session);
    this.#driver.kill();
  }

  /** Loads an address and waits until the page is live. */
  async goTo(url: string): Promise<void> {
    await command("POST", `${this.#session}/url`, { url });
    await this.poll("return 'live' in document.getElementById('app').dataset");
  }

  async back(): Promise<void> {
    await command("POST", `${this.#session}/back`, {});
  }

  /** The result of a script in the page; what it returns may be a promise. */
  run<Result>(script: string, ...values: unknown[]): Promise<Result> {
    return command("POST", `${this.#session}/execute/sync`, { script, args: values });
  }

  /** The first result of a script that is neither false nor null. */
  poll<Result>(script: string, ...values: unknown[]): Promise<Result> {
    return until(() => this.run<Result | undefined>(script, ...values));
  }

  /** The first visible element that matches the selector and has this text or label. */
  async find(selector: string, text = ""): Promise<string> {
    const element = await this.poll<Record<string, string>>(`const [selector, text] = arguments;
      return [...document.querySelectorAll(selector)].find((element) => element.checkVisibility()
        && [element.textContent, element.ariaLabel ?? "", ...[...element.labels ?? []].map((label) => label.textContent)].some((words) => words.includes(text)))`, selector, text);
    return element[elementKey] ?? "";
  }

  /** Presses the element; again while it moves or another one lies over it. */
  async click(selector: string, text?: string): Promise<void> {
    await until(async () => {
      const element = await this.find(selector, text);
      return command("POST", `${this.#session}/element/${element}/click`, {}).then(() => true, () => false);
    });
  }

  /** Types into the field with this label, key by key. */
  async type(label: string, text: string): Promise<void> {
    await command("POST", `${this.#session}/element/${await this.find("input, textarea", label)}/value`, { text });
  }

  /** Chooses a file of this machine in the one file field that matches. */
  async chooseFile(selector: string, file: string): Promise<void> {
    const element = await this.poll<Record<string, string>>("return document.querySelector(arguments[0])", selector);
    await command("POST", `${this.#session}/element/${element[elementKey]}/value`, { text: file });
  }
}

async function command<Result>(method: string, address: string, body?: object): Promise<Result> {
  const response = await fetch(address, { method, body: body && JSON.stringify(body) });
  const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${address}: ${value.error} ${value.message}`);
  return value;
}

async function until<Result>(ask: () => Promise<Result | undefined>): Promise<Result> {
  for (const end = Date.now() + timeout; Date.now() < end; await pause(50)) {
    const result = await ask();
    if (result) return result;
  }
  throw new Error(`nothing came of this in time: ${ask}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  const { port } = server.address() as AddressInfo;
  await new Promise((settle) => server.close(settle));
  return port;
}

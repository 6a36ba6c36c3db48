// The server's script engine has only the language, without web APIs. React's renderer looks these up when it loads;
// it never calls the timers and channels during a synchronous render.

class Utf8Encoder {
  encode(text = ""): Uint8Array {
    const bytes = unescape(encodeURIComponent(text));
    return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  }
}

class SilentPort {
  onmessage = null;
  postMessage(): void {}
}

class SilentChannel {
  port1 = new SilentPort();
  port2 = new SilentPort();
}

class SilentController {
  signal = {};
  abort(): void {}
}

const silent = (): void => {};
const later = (task: () => void): void => void Promise.resolve().then(task);

const globals: Record<string, unknown> = {
  self: globalThis,
  console: { log: silent, info: silent, warn: silent, error: silent, debug: silent },
  TextEncoder: Utf8Encoder,
  MessageChannel: SilentChannel,
  AbortController: SilentController,
  ReadableStream: class {},
  setTimeout: () => 0,
  clearTimeout: silent,
  queueMicrotask: later,
};

for (const [name, value] of Object.entries(globals)) {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

export {};

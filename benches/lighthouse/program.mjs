// Starts the program to measure, and the browser to measure it with.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const repository = path.resolve(import.meta.dirname, "../..");
const binary = path.resolve(process.env.SHOWCASE_BINARY ?? path.join(repository, "target/release/showcase"));
export const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";

/**
 * The program on a free port of this machine, in a folder of its own, with nobody's settings but the defaults and these.
 * `said` is what it has printed before its address; with the option `--demo`, links to sign in with.
 */
export async function start(settings = {}, ...options) {
  if (!existsSync(binary)) {
    throw new Error(`There is no program at ${binary}: build it with "cargo build --release", or set SHOWCASE_BINARY.`);
  }
  const folder = mkdtempSync(path.join(tmpdir(), "showcase-lighthouse-"));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SHOWCASE_")));
  const child = spawn(binary, ["serve", "--listen", "127.0.0.1:0", ...options], { cwd: folder, env: { ...env, ...settings }, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((settle) => child.once("exit", settle));
  const stop = async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  let complained = "";
  child.stderr.on("data", (part) => (complained += part));
  const said = [];
  for await (const line of createInterface(child.stdout)) {
    const origin = /^Showcase is at (http:\/\/.+)\/$/.exec(line)?.[1];
    said.push(line);
    if (!origin) continue;
    child.stdout.resume();
    await atRest(child.pid);
    return { origin, stop, said };
  }
  await stop();
  throw new Error(`the program ended before it was ready: ${complained}`);
}

/** Until the program has compressed its pages as small as they get, which takes the processor from the browser. It begins ten seconds after its start. */
async function atRest(pid) {
  await new Promise((settle) => setTimeout(settle, 11_000));
  // User and system time, in ticks (proc(5)).
  const spent = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(")").at(-1).trim().split(" ").slice(11, 13).join();
  for (let before; before !== spent(); await new Promise((settle) => setTimeout(settle, 1000))) before = spent();
}

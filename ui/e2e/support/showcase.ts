import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

const binary = path.resolve(process.env.SHOWCASE_BINARY ?? "../target/debug/showcase");

export const adminPassword = "seventy strokes a fan";

export interface Setting {
  /** More command-line options. */
  flags?: string[];
  environment?: Record<string, string>;
}

export interface Mail {
  to: string;
  subject: string;
}

/** The real program, in a folder of its own, on a free port. */
export class Showcase {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "showcase-e2e-"));
  #process: ChildProcess | undefined;
  #listen = "127.0.0.1:0";

  readonly #setting: Setting;

  constructor(setting: Setting = {}) {
    this.#setting = setting;
    if (!existsSync(binary)) throw new Error(`there is no program at ${binary}: build it first, or set SHOWCASE_BINARY`);
    writeFileSync(path.join(this.#folder, "config.toml"), `[limits]\nwrites_per_minute = 0\nsign_ins_per_minute = 0\n\n[admin]\npassword = "${adminPassword}"\n`);
  }

  get origin(): string {
    return `http://${this.#listen}`;
  }

  /** Starts it; after a stop, at the address where it was before. */
  async start(): Promise<void> {
    const child = spawn(binary, ["serve", "--listen", this.#listen, ...(this.#setting.flags ?? [])], { cwd: this.#folder, env: { ...plainEnvironment(), TMPDIR: this.#folder, SHOWCASE_TEST_NO_COMPRESSOR: "1", ...this.#setting.environment }, stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    let said = "";
    child.stderr.on("data", (part: Buffer) => (said += part.toString()));
    for await (const line of createInterface(child.stdout)) {
      const address = /^Showcase is at http:\/\/(.+)\/$/.exec(line)?.[1];
      if (!address) continue;
      this.#listen = address;
      child.stdout.resume();
      return;
    }
    throw new Error(`the program ended before it was ready: ${said}`);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((settle) => child.once("exit", settle));
    child.kill("SIGKILL");
    await ended;
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The stored registrations of a kind, as the organiser exports them: one object a row, by header. */
  records(kind: string): Record<string, string>[] {
    const [header = [], ...rows] = csvRows(this.#run("export", "--kind", kind, "--quiet"));
    return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ""])));
  }

  mails(): Mail[] {
    const [, ...lines] = this.#run("outbox", "list").trimEnd().split("\n");
    return lines.map((line) => {
      const [, to = "", subject = ""] = /\s(\S+@\S+)\s+(.*)$/.exec(line) ?? [];
      return { to, subject };
    });
  }

  /** Publishes the default content with every `from` replaced by `to`. */
  changeContent(from: string, to: string): void {
    this.#run("migrate");
    const content = this.#run("content", "export");
    if (!content.includes(from)) throw new Error(`"${from}" is not in the content`);
    execFileSync(binary, ["content", "import", "-"], { cwd: this.#folder, env: plainEnvironment(), input: content.replaceAll(from, to) });
  }

  /**
   * Makes a sign-in link and a code like those of the newest email to this address; undefined if there is no email. The real ones are made
   * when an email leaves, and nothing keeps them.
   */
  makeSignInLink(email: string, template: "artist-link" | "judge-link" = "artist-link"): { url: string; code: string } | undefined {
    const script = `import hashlib, json, secrets, sqlite3, sys
template, email = sys.argv[1:]
database = sqlite3.connect("showcase.db", timeout=60)
row = database.execute("select words, created_at from outbox where template = ? and recipient = ? order by id desc limit 1", [template, email]).fetchone()
if row:
    token, code, audience = secrets.token_hex(32), f"{secrets.randbelow(10**6):06}", template.removesuffix("-link")
    digest = lambda text: hashlib.sha256(text.encode()).digest()
    database.execute(f"insert into {audience}_links values (?, ?, ?)", [digest(token), email, row[1]])
    database.execute(f"insert or replace into {audience}_codes (email, code_hash, created_at) values (?, ?, ?)", [email, digest(f"{email.lower()} {code}"), row[1]])
    database.commit()
    print(json.dumps({"url": json.loads(row[0])["page"] + "#" + token, "code": code}))`;
    const found = execFileSync("python3", ["-c", script, template, email], { cwd: this.#folder, encoding: "utf8" }).trim();
    return found === "" ? undefined : (JSON.parse(found) as { url: string; code: string });
  }

  /** Paid entries whose nominations are ready for the judges, each with one photo in these slots. Paying and uploading takes too long for many. */
  addNominations(nominations: { name: string; email: string; code: string }[], slots: string[], photo: Buffer, size: { width: number; height: number }): void {
    const script = `import base64, hashlib, json, sqlite3, sys
given = json.load(sys.stdin)
photo = base64.b64decode(given["photo"])
database = sqlite3.connect("showcase.db", timeout=60)
at = "2026-01-01T00:00:00.000Z"
for number, one in enumerate(given["nominations"]):
    entry = database.execute("insert into competition_entries (created_at, name, email, phone, business_name, location, tax_location, primary_category, sub_category, additional_categories, agreement_terms, agreement_media, payment_amount_cents, payment_status) values (?, ?, ?, ?, ?, 'Jersey City, NJ', 'new-jersey', 'lash-extensions', 'Volume', 0, 1, 1, 47706, 'paid')", [at, one["name"], one["email"], f"+1 201-555-{number + 200:04}", f"Studio {number}"]).lastrowid
    nomination = database.execute("insert into nominations (created_at, entry_id, code, category, sub_category, state) values (?, ?, ?, 'lash-extensions', 'Volume', 'ready')", [at, entry, one["code"]]).lastrowid
    database.execute("insert into releases (nomination_id, key) values (?, ?)", [nomination, f"key-{nomination}"])
    for slot in given["slots"]:
        sha = hashlib.sha256(photo).hexdigest()
        media = database.execute("insert into media (created_at, nomination_id, slot, width, height, bytes, sha256, thumbnail_bytes, thumbnail_sha256) values (?, ?, ?, ?, ?, ?, ?, ?, ?)", [at, nomination, slot, given["width"], given["height"], len(photo), sha, len(photo), sha]).lastrowid
        for size in ["full", "thumbnail"]:
            database.execute("insert into media_chunks (media_id, size, number, content) values (?, ?, 0, ?)", [media, size, photo])
database.commit()`;
    execFileSync("python3", ["-c", script], { cwd: this.#folder, input: JSON.stringify({ nominations, slots, photo: photo.toString("base64"), ...size }) });
  }

  #run(...command: string[]): string {
    return execFileSync(binary, command, { cwd: this.#folder, env: plainEnvironment(), encoding: "utf8" });
  }
}

/** The environment without its SHOWCASE_ settings, so that only those of the test's folder apply. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SHOWCASE_")));
}

function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end = ""] of text.replace(/^\ufeff/, "").matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const last = rows.at(-1) ?? [];
    if (end === "" && last.length === 0) break;
    last.push(quoted?.replace(/""/g, '"') ?? plain);
    if (end === "") break;
    if (end !== ",") rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

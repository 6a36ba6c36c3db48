import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { sampleInput } from "../../test/sample-input";

const place = path.join(import.meta.dirname, "built-in-content.ts");

/** What the compiler says of this text as if it were a module beside `content-types.ts`. */
function complaints(text: string): string[] {
  const options: ts.CompilerOptions = { strict: true, noEmit: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => file === place || fileExists(file);
  host.getSourceFile = (file, ...rest) => (file === place ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2022) : getSourceFile(file, ...rest));
  const program = ts.createProgram([place], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

const asWritten = (content: unknown) =>
  `import type { Content } from "./content-types";
  type Written<T> = T extends readonly (infer Item)[] ? Written<Item>[] : T extends object ? { [K in keyof T]?: Written<T[K]> } : T;
  export const content: Written<Content> = ${JSON.stringify(content)};`;
const whole = (content: unknown) => `import type { Content } from "./content-types"; export const content: Content = ${JSON.stringify(content)};`;

/** The keys that an organiser may leave out; the server gives them their empty values. */
const filled = ["alt", "announcedBy", "bioFull", "comingSoon", "deadline", "fact", "from", "handle", "image", "key", "lists", "message", "next", "nextTitle", "required", "sample", "signOff", "speaker", "subCategory", "tiles", "until", "url", "when", "winners"];

it("describes the built-in content: no key is unknown, every value is of its type", () => {
  expect(complaints(asWritten(sampleInput.content))).toEqual([]);
}, 30_000);

it("misses no key but those that the server fills in", () => {
  const missing = complaints(whole(sampleInput.content)).flatMap((complaint) => {
    const names = /Property '(\w+)' is missing|from type '\w+': ([\w, ]+)/.exec(complaint);
    return (names?.[1] ?? names?.[2] ?? complaint).split(", ");
  });
  expect([...new Set(missing)].sort()).toEqual(filled);
}, 30_000);

it("would tell of an unknown key, and of a value of another type", () => {
  const { event, ...rest } = sampleInput.content;
  expect(complaints(asWritten({ ...rest, event: { ...event, country: "US" } })).join()).toMatch(/country/);
  expect(complaints(asWritten({ ...rest, event: { ...event, dates: 2026 } })).join()).toMatch(/number/);
}, 30_000);

// Decides which modules share a chunk. Left alone, esbuild makes one chunk for every distinct set of pages that
// share a module: dozens of tiny requests. Two shared chunks are enough: what the shell and the
// pages have in common, and what the forms have in common.
import path from "node:path";

const formCode = /^(src\/form\/|node_modules\/(react-hook-form|@hookform|valibot)\/)/;
const privateCode = /^(src\/organiser\/|src\/payment\/|node_modules\/@stripe\/)/;

/** Page id -> modules it reaches, by dynamic imports of `src/pages/<id>.tsx`. */
function modulesByPage(metafile) {
  const pages = {};
  for (const file of Object.keys(metafile.inputs)) {
    const page = /^src\/pages\/([a-z0-9-]+)\.tsx$/.exec(file);
    if (page) pages[page[1]] = reachable(metafile, file);
  }
  return pages;
}

function reachable(metafile, from) {
  const seen = new Set();
  const waiting = [from];
  while (waiting.length > 0) {
    const file = waiting.pop();
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { path: target, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (!external && kind !== "dynamic-import" && metafile.inputs[target]) waiting.push(target);
    }
  }
  return seen;
}

/** The modules of the two shared chunks, and the pages that need the second. */
export function sharedGroups(metafile) {
  const pages = modulesByPage(metafile);
  const uses = new Map();
  for (const modules of Object.values(pages)) {
    for (const file of modules) uses.set(file, (uses.get(file) ?? 0) + 1);
  }
  const shell = reachable(metafile, "src/entry-client.tsx");
  const isScript = (file) => /\.(tsx?|m?js|json)$/.test(file);
  const shared = [...new Set([...shell, ...uses.keys()])].filter(
    (file) => isScript(file) && file !== "src/entry-client.tsx" && !privateCode.test(file)
      && (shell.has(file) || uses.get(file) > 1),
  );
  const forms = shared.filter((file) => formCode.test(file) && !shell.has(file));
  const formPages = Object.keys(pages).filter((page) => forms.some((file) => pages[page].has(file)));
  return { site: shared.filter((file) => !forms.includes(file)).sort(), forms: forms.sort(), formPages };
}

/** Makes every page import the whole shared group, so that esbuild puts the group into one chunk. */
export function withSharedGroups(groups) {
  return {
    name: "shared-groups",
    setup(build) {
      const root = build.initialOptions.absWorkingDir;
      build.onResolve({ filter: /^shared-group:/ }, ({ path: name }) => ({ path: name, namespace: "shared-group", sideEffects: true }));
      build.onLoad({ filter: /.*/, namespace: "shared-group" }, ({ path: name }) => ({
        resolveDir: root,
        contents: groups[name.slice("shared-group:".length)].map((file) => `import ${JSON.stringify(`./${file}`)};`).join("\n"),
      }));
      build.onLoad({ filter: /\/src\/(pages\/[a-z0-9-]+|entry-client)\.tsx$/ }, async ({ path: file }) => {
        const { readFile } = await import("node:fs/promises");
        const page = path.basename(file, ".tsx");
        const wanted = groups.formPages.includes(page) ? ["site", "forms"] : ["site"];
        const imports = wanted.map((name) => `import "shared-group:${name}";\n`).join("");
        return { loader: "tsx", contents: imports + (await readFile(file, "utf8")) };
      });
    },
  };
}

/** Page id -> the output files it needs beyond the first script, its own chunk first. */
export function chunksByPage(metafile, script) {
  const result = {};
  for (const [file, output] of Object.entries(metafile.outputs)) {
    const page = /^src\/pages\/([a-z0-9-]+)\.tsx$/.exec(output.entryPoint ?? "");
    if (!page) continue;
    const files = new Set([file]);
    for (const name of [...files, ...(metafile.outputs[script].imports.filter(isStatic).map((i) => i.path))]) {
      for (const next of closure(metafile, name)) files.add(next);
    }
    files.delete(script);
    result[page[1]] = [...files];
  }
  return result;
}

const isStatic = ({ kind }) => kind === "import-statement";

function closure(metafile, from, seen = new Set()) {
  if (seen.has(from) || !metafile.outputs[from]) return seen;
  seen.add(from);
  for (const next of metafile.outputs[from].imports.filter(isStatic)) closure(metafile, next.path, seen);
  return seen;
}

// Decides which modules share a chunk. Left alone, esbuild makes one chunk for every distinct set of pages that
// share a module: dozens of tiny requests. Three shared chunks are nearly enough: what the shell and the pages have in
// common, what many pages other than the home page have, and what only the forms have.
import { readFile } from "node:fs/promises";
import path from "node:path";

export const clientEntry = "src/app/entry-client.tsx";
export const pageEntry = (name) => `src/pages/${name}/page.tsx`;
const home = pageEntry("home");
const formCode = /^src\/forms\/|^node_modules\/(react-hook-form|valibot)\//;
/** Code that no visitor may download with a shared chunk. */
const privateCode = /^src\/(admin|entry\/payment)\/|^node_modules\/@stripe\//;
/** What only the organiser shares with a page is no reason to send it to every visitor. */
const adminCode = /^src\/admin\//;

/** A module of so few pages gets a chunk for them alone: in a shared one, all other pages would load it too. */
const fewPages = 3;

/** Three lists of modules, and which lazily loaded modules need the second and the third. */
export function sharedGroups(metafile) {
  const shell = reachable(metafile, clientEntry);
  const lazy = new Map(lazyModules(metafile).map((file) => [file, reachable(metafile, file)]));
  const publicModules = [...lazy.keys()].filter((module) => ![...lazy.get(module)].some((file) => adminCode.test(file)));
  const formModules = publicModules.filter((module) => [...lazy.get(module)].some((file) => formCode.test(file)));
  const usersOf = (file) => publicModules.filter((module) => lazy.get(module).has(file));
  const all = [...new Set([...shell, ...publicModules.flatMap((module) => [...lazy.get(module)])])].sort();
  const shared = all.filter((file) => {
    // Packages come along with our own modules that use them.
    if (file === clientEntry || lazy.has(file) || privateCode.test(file) || !/^src\/.*\.tsx?$/.test(file)) return false;
    if (shell.has(file)) return true;
    const users = usersOf(file);
    const isOfHome = lazy.get(home).has(file);
    const isOfForms = users.every((module) => formModules.includes(module));
    return users.length > (isOfHome || isOfForms ? 1 : fewPages);
  });
  const forms = shared.filter((file) => !shell.has(file) && usersOf(file).every((module) => formModules.includes(module)));
  const inner = shared.filter((file) => !shell.has(file) && !forms.includes(file) && !lazy.get(home).has(file));
  const innerModules = [...lazy.keys()].filter((module) => inner.some((file) => lazy.get(module).has(file)));
  return { site: shared.filter((file) => !forms.includes(file) && !inner.includes(file)), inner, forms, lazy: [...lazy.keys()], innerModules, formModules };
}

function lazyModules(metafile) {
  const targets = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ kind, external }) => kind === "dynamic-import" && !external).map((found) => found.path));
  return [...new Set(targets)];
}

function reachable(metafile, from) {
  const seen = new Set();
  const waiting = [from];
  while (waiting.length > 0) {
    const file = waiting.pop();
    if (seen.has(file) || !metafile.inputs[file]) continue;
    seen.add(file);
    for (const { path: target, kind, external } of metafile.inputs[file].imports) {
      if (!external && kind !== "dynamic-import") waiting.push(target);
    }
  }
  return seen;
}

/** Makes every lazily loaded module import a whole group, so that esbuild finds all modules of a group used by the same modules. */
export function withSharedGroups(groups) {
  return {
    name: "shared-groups",
    setup(build) {
      const root = build.initialOptions.absWorkingDir;
      const wanted = new Map([[clientEntry, ["site"]], ...groups.lazy.map((module) => [module, ["site", ...(groups.innerModules.includes(module) ? ["inner"] : []), ...(groups.formModules.includes(module) ? ["forms"] : [])]])]
        .map(([file, names]) => [path.join(root, file), names]));
      build.onResolve({ filter: /^shared-group:/ }, (found) => ({ path: found.path.slice("shared-group:".length), namespace: "shared-group" }));
      build.onLoad({ filter: /.*/, namespace: "shared-group" }, ({ path: name }) => ({
        resolveDir: root,
        contents: groups[name].map((file) => `import ${JSON.stringify(path.join(root, file))};`).join("\n"),
      }));
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
        const names = wanted.get(file);
        if (!names) return undefined;
        const imports = names.map((name) => `import "shared-group:${name}";\n`).join("");
        return { loader: file.endsWith("x") ? "tsx" : "ts", contents: imports + (await readFile(file, "utf8")) };
      });
    },
  };
}

/**
 * Gives the organiser's pages their own copy of the packages of the forms: shared, they would have to leave the forms'
 * chunk, and each public form would load another file, with what only the organiser's forms use of them.
 */
export const ownFormPackages = {
  name: "own-form-packages",
  setup(build) {
    const admin = path.join(build.initialOptions.absWorkingDir, "src/admin");
    build.onResolve({ filter: /^(react-hook-form|valibot)$/ }, async ({ path: name, importer, resolveDir, kind, pluginData }) => {
      if (pluginData?.isResolved || !importer.startsWith(admin)) return undefined;
      const resolved = await build.resolve(name, { importer, resolveDir, kind, pluginData: { isResolved: true } });
      return { path: resolved.path, suffix: "?admin", sideEffects: resolved.sideEffects, errors: resolved.errors };
    });
  },
};

/** Page id -> the output files it needs besides the first script, its own chunk first. */
export function chunksByPage(metafile, script) {
  const pages = Object.entries(metafile.outputs).map(([file, { entryPoint = "" }]) => [file, /^src\/pages\/([a-z0-9-]+)\/page\.tsx$/.exec(entryPoint)?.[1]]);
  return Object.fromEntries(pages.filter(([, page]) => page).map(([file, page]) => {
    const files = new Set([...closure(metafile, file), ...closure(metafile, script)]);
    files.delete(script);
    return [page, [...files]];
  }));
}

function closure(metafile, from, seen = new Set()) {
  if (seen.has(from) || !metafile.outputs[from]) return seen;
  seen.add(from);
  for (const { path: target, kind } of metafile.outputs[from].imports) {
    if (kind === "import-statement") closure(metafile, target, seen);
  }
  return seen;
}

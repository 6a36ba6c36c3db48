// Decides which modules share a chunk. Left alone, esbuild makes one chunk for every distinct set of entry points that
// share a module: dozens of tiny requests. These few are enough: what the site's frame has in common with its lazily
// loaded parts; what several forms have in common; the organiser's first view, which the sections that are loaded later
// come after; and what the portal, the judges' page and the organiser's pages share.
import { readFile } from "node:fs/promises";
import path from "node:path";

export const clientEntry = "src/app/entry-client.ts";
export const islandTable = "src/app/islands.tsx";
/** Code that no visitor may download with a shared chunk. */
const privateCode = /^src\/(admin|entry\/payment)\/|^node_modules\/@stripe\//;
const formCode = /^src\/forms\//;
const adminEntry = "src/pages/export-data/page.tsx";
const adminCode = /^src\/admin\/.*\.tsx?$/;
const portalIsland = "src/portal/artist-portal.tsx";
const kitCode = /^src\/(admin|portal|pages\/export-data)\//;

/** The modules of the groups, and the lazily loaded modules that need them. */
export function sharedGroups(metafile) {
  const shell = reachable(metafile, clientEntry);
  const lazy = new Map(lazyModules(metafile).map((file) => [file, reachable(metafile, file)]));
  const formModules = dynamicImports(metafile, islandTable).filter((module) => [...lazy.get(module)].some((file) => formCode.test(file)));
  // Packages come along with our own modules that use them.
  const own = (file) => /^src\/.*\.tsx?$/.test(file) && file !== clientEntry && !lazy.has(file) && !privateCode.test(file);
  const site = [...shell].filter(own).sort();
  const forms = [...new Set(formModules.flatMap((module) => [...lazy.get(module)]))].sort().filter((file) =>
    own(file) && !shell.has(file) && formModules.filter((module) => lazy.get(module).has(file)).length > 1);
  // What a form loads later comes after this chunk, so it need not have any of it for itself.
  const withForms = [...lazy.keys()].filter((module) => formModules.includes(module) || formModules.some((form) => loadedLater(metafile, lazy.get(form)).has(module)));
  const admin = [...reachable(metafile, adminEntry)].filter((file) => adminCode.test(file) && !lazy.has(file)).sort();
  // Parts of the kit that the portal and the organiser's pages share, and nothing else has.
  const withKit = [...lazy.keys()].filter((module) => kitCode.test(module));
  const users = (file) => [...lazy.keys()].filter((module) => lazy.get(module).has(file));
  const kit = [...new Set(withKit.flatMap((module) => [...lazy.get(module)]))].sort().filter((file) => {
    if (!/^src\/(kit|lib)\//.test(file) || !own(file) || shell.has(file) || forms.includes(file)) return false;
    const by = users(file);
    return by.length > 1 && by.every((module) => withKit.includes(module)) && by.some((module) => module.startsWith("src/portal/")) && !by.every((module) => module.startsWith("src/portal/"));
  });
  // What the portal's first part shares with the judges' page and with what both load later.
  const withPortal = withKit.filter((module) => module.startsWith("src/portal/"));
  const portal = [...(lazy.get(portalIsland) ?? [])].sort().filter((file) => own(file) && !shell.has(file) && !forms.includes(file) && !kit.includes(file)
    && users(file).length > 1 && users(file).every((module) => withPortal.includes(module)));
  return { site, forms, admin, kit, portal, lazy: [...lazy.keys()], withForms, withKit, withPortal };
}

function lazyModules(metafile) {
  return [...new Set(Object.keys(metafile.inputs).flatMap((file) => dynamicImports(metafile, file)))];
}

function loadedLater(metafile, files, seen = new Set()) {
  for (const file of [...files].flatMap((one) => dynamicImports(metafile, one))) {
    if (!seen.has(file)) loadedLater(metafile, reachable(metafile, file), seen.add(file));
  }
  return seen;
}

/** The modules that a module loads when it runs. */
export function dynamicImports(metafile, file) {
  return metafile.inputs[file].imports.filter(({ kind, external }) => kind === "dynamic-import" && !external).map((found) => found.path);
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
      const groupsOf = (module) => ["site", ...(groups.withForms.includes(module) ? ["forms"] : []), ...(adminCode.test(module) ? ["admin"] : []), ...(groups.withKit.includes(module) ? ["kit"] : []), ...(groups.withPortal.includes(module) ? ["portal"] : [])];
      const wanted = new Map([[clientEntry, ["site"]], ...groups.lazy.map((module) => [module, groupsOf(module)])]
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

/**
 * Gives the public forms their own copy of the kit's fields, for the same reason: shared with the organiser's pages and the
 * portal, they would be two more files for each form.
 */
export const ownFormFields = {
  name: "own-form-fields",
  setup(build) {
    const root = build.initialOptions.absWorkingDir;
    const forms = ["src/forms/", "src/entry/"].map((folder) => path.join(root, folder));
    build.onResolve({ filter: /\/kit\/(field-frame|checkbox|select-box)$/ }, async ({ path: name, importer, resolveDir, kind, pluginData }) => {
      if (pluginData?.isResolved || !forms.some((folder) => importer.startsWith(folder))) return undefined;
      const resolved = await build.resolve(name, { importer, resolveDir, kind, pluginData: { isResolved: true } });
      return { path: resolved.path, suffix: "?forms", sideEffects: resolved.sideEffects, errors: resolved.errors };
    });
  },
};

/** An output file and all that it imports at once. */
export function modulesOf(metafile, from, seen = new Set()) {
  if (seen.has(from) || !metafile.outputs[from]) return seen;
  seen.add(from);
  for (const { path: target, kind } of metafile.outputs[from].imports) {
    if (kind === "import-statement") modulesOf(metafile, target, seen);
  }
  return seen;
}

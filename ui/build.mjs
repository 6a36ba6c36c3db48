// Bundles the pages for the browser and for the server's script engine, and writes everything that is
// served, text as brotli. Usage: node build.mjs --out FOLDER
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import zlib from "node:zlib";
import * as esbuild from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: "dist" } } });
const out = path.resolve(values.out);
const assetsFolder = path.join(out, "assets");
const filesFolder = path.join(out, "files");

const site = "src/app/entry-client.ts";
/** The pages that the browser renders itself. */
const ownPages = { "export-data": "src/pages/export-data/view.tsx", "door": "src/pages/door/view.tsx" };
/** Islands with code of their own, which esbuild splits from the site's: it is loaded on the pages that have them. */
const islands = {
  "application-form": "src/forms/application-form.tsx",
  "registration-form": "src/forms/registration-form.tsx",
  "entry": "src/entry/entry.tsx",
  "artist-portal": "src/portal/artist-portal.tsx",
  "release": "src/portal/release.tsx",
  "judge-page": "src/portal/judge/judge-page.tsx",
};
/** Pages that have a style sheet beside the site's. */
const pageStyles = {
  "export-data": "admin", "door": "door", "enter-competition": "entry", "artist-portal": "portal", "release": "portal", "judge": "judge",
  "score-sheet": "score-sheet", "results": "results", "competition": "competition", "venue": "venue",
};
const styleFile = (name) => `src/styles/${name}.css`;

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  // Modules are always read as UTF-8: no letter needs an escape.
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  publicPath: "/assets",
  assetNames: "[name]-[hash]",
  // React looks for the developer tools of its own, which nobody has on a production page.
  define: { "process.env.NODE_ENV": '"production"', "__REACT_DEVTOOLS_GLOBAL_HOOK__": "undefined" },
  loader: { ".woff2": "file", ".svg": "file" },
  logLevel: "warning",
  metafile: true,
  // React has had the hook itself since version 18; wouter and swr still bring a copy for older ones.
  alias: { "use-sync-external-store/shim/index.js": "react", "use-sync-external-store/shim": "react" },
};
const client = {
  ...common,
  entryPoints: [site, ...Object.entries(ownPages).map(([out, file]) => ({ in: file, out })), ...["site", "setup-notice", ...new Set(Object.values(pageStyles))].map(styleFile)],
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  outdir: assetsFolder,
  format: "esm",
  splitting: true,
  inject: ["src/app/shared.ts"],
  target: ["es2022", "chrome105", "firefox115", "safari16"],
};

for (const folder of [assetsFolder, filesFolder]) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}
const built = await esbuild.build(client);
// By itself, so that it is one small file.
const boot = await esbuild.build({ ...client, entryPoints: ["src/app/boot.ts"], splitting: false, inject: [] });
// At the root, because a service worker is for addresses below its own.
await esbuild.build({ ...client, entryPoints: ["src/door/door-worker.js"], entryNames: "[name]", outdir: filesFolder, splitting: false, inject: [] });
const pageFiles = (await readdir(path.join(here, "src/pages"), { recursive: true })).filter((file) => path.basename(file).startsWith("page.server."));
await esbuild.build({
  ...common,
  entryPoints: { server: "src/app/entry-server.tsx" },
  outdir: out,
  assetNames: "assets/[name]-[hash]",
  publicPath: "/",
  format: "iife",
  target: "es2023",
  platform: "neutral",
  mainFields: ["module", "main"],
  resolveExtensions: [".server.tsx", ".tsx", ".ts", ".mjs", ".js", ".json"],
  conditions: ["edge-light", "worker", "browser"],
  inject: ["src/app/engine-globals.ts"],
  // React's entry for this brings its streaming renderer too, which is larger and never used here.
  alias: { ...common.alias, "react-dom/server.edge": "./node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js" },
  plugins: [virtual("assets", `export const assets = ${JSON.stringify(assets(built.metafile))};`), virtual("pages", pages())],
});
for (const name of await readdir(path.join(here, "files"))) {
  if (!name.startsWith(".")) await copyFile(path.join(here, "files", name), path.join(filesFolder, name));
}
// The compressed form alone is embedded: the program makes the others of it when they are asked for.
for (const folder of [assetsFolder, filesFolder]) {
  for (const file of (await readdir(folder)).filter((name) => /\.(js|css|svg|json|webmanifest|txt|ico)$/.test(name)).map((name) => path.join(folder, name))) {
    await writeFile(`${file}.br`, await promisify(zlib.brotliCompress)(await readFile(file)));
    await rm(file);
  }
}

/** The hashed addresses that the server writes into its pages (src/app/assets.d.ts). */
function assets({ outputs }) {
  const address = (file) => `/assets/${path.basename(file)}`;
  const outputOf = (entry) => Object.keys(outputs).find((file) => outputs[file].entryPoint === entry);
  const font = (name) => address(Object.keys(outputs).find((file) => path.basename(file).replace(/-[A-Z0-9]{8}\.woff2$/, "") === name));
  const style = (name) => address(outputOf(styleFile(name)));
  const loaded = (file, seen = new Set()) => {
    seen.add(file);
    for (const { path: next, kind } of outputs[file].imports) if (kind === "import-statement" && !seen.has(next)) loaded(next, seen);
    return seen;
  };
  const modules = (entry) => [...new Set([outputOf(site), ...loaded(outputOf(entry)), ...loaded(outputOf(site))])].map(address);
  const each = (table, make) => Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(value)]));
  return {
    style: style("site"), setupStyle: style("setup-notice"), pageStyles: each(pageStyles, style),
    boot: address(Object.keys(boot.metafile.outputs)[0]),
    fonts: ["dm-sans", "fraunces-display", "fraunces-text"].map(font), italic: font("fraunces-italic"),
    client: modules(site), modules: each(ownPages, modules), islands: each(islands, modules),
  };
}

/** The server renders every page and has them all in one bundle. */
function pages() {
  const imports = pageFiles.map((file, at) => `import * as page${at} from "./src/pages/${file}";`);
  return `${imports.join("\n")}\nexport const serverPages = { ${pageFiles.map((file, at) => `"${path.dirname(file)}": page${at}`).join(", ")} };`;
}

function virtual(name, contents) {
  return {
    name,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^virtual:${name}$`) }, () => ({ path: name, namespace: name }));
      build.onLoad({ filter: /.*/, namespace: name }, () => ({ contents, resolveDir: here }));
    },
  };
}

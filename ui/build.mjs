// Bundles the pages for the browser and for the server's script engine, and writes everything that is
// served, text as brotli. Usage: node build.mjs --out FOLDER
import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import zlib from "node:zlib";
import * as esbuild from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(parseArgs({ options: { out: { type: "string", default: "dist" } } }).values.out);
const assetsFolder = path.join(out, "assets");
const filesFolder = path.join(out, "files");

const site = "src/app/entry-client.tsx";
/** The pages that the browser renders itself. */
const ownPages = { "export-data": "src/pages/export-data/view.tsx", "door": "src/pages/door/view.tsx" };
/** Pages that have a style sheet beside the site's. */
const pageStyles = {
  "export-data": "admin", "door": "door", "enter-competition": "entry", "artist-portal": "portal", "release": "portal", "judge": "judge",
  "score-sheet": "score-sheet", "results": "results", "competition": "competition", "venue": "venue",
};
const styleFile = (name) => `src/styles/${name}.css`;

const client = {
  absWorkingDir: here,
  entryPoints: [site, ...Object.entries(ownPages).map(([out, file]) => ({ in: file, out })), ...["site", "setup-notice", ...new Set(Object.values(pageStyles))].map(styleFile)],
  entryNames: "[name]-[hash]", chunkNames: "[name]-[hash]", assetNames: "[name]-[hash]",
  outdir: assetsFolder,
  publicPath: "/assets",
  bundle: true, splitting: true, minify: true, metafile: true,
  format: "esm",
  target: ["es2022", "chrome105", "firefox115", "safari16"],
  inject: ["src/app/shared.ts"],
  // Modules are always read as UTF-8: no letter needs an escape.
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  // React looks for the developer tools of its own, which nobody has on a production page.
  define: { "process.env.NODE_ENV": '"production"', "__REACT_DEVTOOLS_GLOBAL_HOOK__": "undefined" },
  loader: { ".woff2": "file", ".svg": "file" },
  logLevel: "warning",
  // React has had the hook itself since version 18; wouter and swr still bring a copy for older ones.
  alias: { "use-sync-external-store/shim/index.js": "react", "use-sync-external-store/shim": "react" },
};

for (const folder of [assetsFolder, filesFolder]) await rm(folder, { recursive: true, force: true });
const built = await esbuild.build(client);
// By itself, so that it is one small file.
const boot = await esbuild.build({ ...client, entryPoints: ["src/app/boot.ts"], splitting: false, inject: [] });
// At the root, because a service worker is for addresses below its own.
await esbuild.build({ ...client, entryPoints: ["src/door/door-worker.js"], entryNames: "[name]", outdir: filesFolder, splitting: false, inject: [] });
const pageFiles = (await readdir(path.join(here, "src/pages"), { recursive: true })).filter((file) => path.basename(file).startsWith("page.server."));
await esbuild.build({
  ...client,
  entryPoints: { server: "src/app/entry-server.tsx" },
  entryNames: "[name]",
  assetNames: "assets/[name]-[hash]",
  outdir: out,
  publicPath: "/",
  splitting: false,
  format: "iife",
  target: "es2023",
  platform: "neutral",
  mainFields: ["module", "main"],
  resolveExtensions: [".server.tsx", ".tsx", ".ts", ".mjs", ".js", ".json"],
  conditions: ["edge-light", "worker", "browser"],
  inject: ["src/app/engine-globals.ts"],
  // React's entry for this brings its streaming renderer too, which is larger and never used here.
  alias: { ...client.alias, "react-dom/server.edge": "./node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js" },
  plugins: [virtual({ "virtual:assets": `export const assets = ${JSON.stringify(assets(built.metafile))};`, "virtual:pages": pages() })],
});
await cp(path.join(here, "files"), filesFolder, { recursive: true, filter: (file) => !path.basename(file).startsWith(".") });
// The compressed form alone is embedded: the program makes the others of it when they are asked for.
for (const folder of [assetsFolder, filesFolder]) {
  for (const name of (await readdir(folder)).filter((name) => /\.(js|css|svg|json|webmanifest|txt|ico)$/.test(name))) {
    const file = path.join(folder, name);
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
  // An island with code of its own has the name of its component's file.
  const islands = Object.values(outputs).map(({ entryPoint = "" }) => entryPoint).filter((file) => file.endsWith(".tsx") && !Object.values(ownPages).includes(file));
  const each = (table, make) => Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(value)]));
  return {
    style: style("site"), setupStyle: style("setup-notice"), pageStyles: each(pageStyles, style),
    boot: address(Object.keys(boot.metafile.outputs)[0]),
    fonts: ["dm-sans", "fraunces-display", "fraunces-text"].map(font), italic: font("fraunces-italic"),
    client: modules(site), modules: each(ownPages, modules), islands: Object.fromEntries(islands.map((file) => [path.parse(file).name, modules(file)])),
  };
}

/** The server renders every page and has them all in one bundle. */
function pages() {
  const imports = pageFiles.map((file, at) => `import * as page${at} from "./src/pages/${file}";`);
  return `${imports.join("\n")}\nexport const serverPages = { ${pageFiles.map((file, at) => `"${path.dirname(file)}": page${at}`).join(", ")} };`;
}

/** Modules that are made here, by their names. */
function virtual(modules) {
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: "virtual" }));
    onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({ contents: modules[path], resolveDir: here }));
  };
  return { name: "virtual", setup };
}

// Bundles the pages for the browser and for the server's script engine, and writes everything that is
// served, text as brotli. Usage: node build.mjs --out FOLDER
import { mkdir, readFile, rm, writeFile, copyFile, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { promisify } from "node:util";
import zlib from "node:zlib";
import * as esbuild from "esbuild";
import { clientEntry, dynamicImports, islandTable, modulesOf, ownFormFields, ownFormPackages, sharedGroups, withSharedGroups } from "./build-chunks.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: "dist" } } });
const out = path.resolve(values.out);
const assetsFolder = path.join(out, "assets");
const filesFolder = path.join(out, "files");

const pageEntry = (name) => `src/pages/${name}/page.tsx`;
/** The one page that the browser renders itself. */
const adminPage = "export-data";

const pageFiles = await readdir(path.join(here, "src/pages"), { recursive: true });
const pageNames = pageFiles.filter((file) => path.basename(file) === "page.tsx").map((file) => path.dirname(file));

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
  entryPoints: {
    "entry-client": clientEntry,
    "site": "src/styles/site.css",
    "admin": "src/styles/admin.css",
    "entry": "src/styles/entry.css",
    "portal": "src/styles/portal.css",
    "judge": "src/styles/judge.css",
    "score-sheet": "src/styles/score-sheet.css",
    "results": "src/styles/results.css",
    "competition": "src/styles/competition.css",
    "venue": "src/styles/venue.css",
    "setup-notice": "src/styles/setup-notice.css",
    // By name, or its file would be called "page".
    [adminPage]: pageEntry(adminPage),
  },
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  outdir: assetsFolder,
  format: "esm",
  splitting: true,
  target: ["es2022", "chrome105", "firefox115", "safari16"],
};

await rm(assetsFolder, { recursive: true, force: true });
await rm(filesFolder, { recursive: true, force: true });
await mkdir(assetsFolder, { recursive: true });
await mkdir(filesFolder, { recursive: true });

const survey = await esbuild.build({ ...client, write: false, plugins: [ownFormFields] });
const groups = sharedGroups(survey.metafile);
const built = await esbuild.build({ ...client, plugins: [withSharedGroups(groups), ownFormPackages, ownFormFields] });

// By itself, so that it is one small file.
const boot = await esbuild.build({ ...client, entryPoints: ["src/app/boot.ts"], splitting: false });

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
  plugins: [virtualAssets(addresses(built.metafile)), virtualPages()],
});

for (const name of await readdir(path.join(here, "files"))) {
  if (name.startsWith(".")) continue;
  await copyFile(path.join(here, "files", name), path.join(filesFolder, name));
}
const brotli = promisify(zlib.brotliCompress);
await compressAll(assetsFolder);
await compressAll(filesFolder);

function addresses(metafile) {
  const address = (file) => `/assets/${path.basename(file)}`;
  const outputs = Object.entries(metafile.outputs);
  const outputOf = (entry) => outputs.find(([, output]) => output.entryPoint === entry);
  const font = (name) => address(outputs.find(([file]) => path.basename(file).replace(/-[A-Z0-9]{8}\.woff2$/, "") === name)[0]);
  const [script] = outputOf(clientEntry);
  const [style] = outputOf("src/styles/site.css");
  const modules = (entry) => [...new Set([script, ...(entry ? modulesOf(metafile, outputOf(entry)[0]) : []), ...modulesOf(metafile, script)])].map(address);
  const islands = dynamicImports(metafile, islandTable);
  return {
    style: address(style),
    boot: address(Object.keys(boot.metafile.outputs)[0]),
    fonts: ["dm-sans", "fraunces-display", "fraunces-text"].map(font),
    italic: font("fraunces-italic"),
    pageStyles: {
      "export-data": address(outputOf("src/styles/admin.css")[0]),
      "enter-competition": address(outputOf("src/styles/entry.css")[0]),
      "artist-portal": address(outputOf("src/styles/portal.css")[0]),
      "release": address(outputOf("src/styles/portal.css")[0]),
      "judge": address(outputOf("src/styles/judge.css")[0]),
      "score-sheet": address(outputOf("src/styles/score-sheet.css")[0]),
      "results": address(outputOf("src/styles/results.css")[0]),
      "competition": address(outputOf("src/styles/competition.css")[0]),
      "venue": address(outputOf("src/styles/venue.css")[0]),
    },
    setupStyle: address(outputOf("src/styles/setup-notice.css")[0]),
    client: modules(),
    modules: { [adminPage]: modules(pageEntry(adminPage)) },
    islands: Object.fromEntries(islands.map((file) => [path.basename(file, ".tsx"), modules(file)])),
  };
}

function virtualAssets(assets) {
  return {
    name: "virtual-assets",
    setup(build) {
      build.onResolve({ filter: /^virtual:assets$/ }, () => ({ path: "assets", namespace: "virtual" }));
      build.onLoad({ filter: /.*/, namespace: "virtual" }, () => ({
        contents: `export const assets = ${JSON.stringify(assets)};`,
      }));
    },
  };
}

/** The server renders every page and has them all in one bundle. */
function virtualPages() {
  return {
    name: "virtual-pages",
    setup(build) {
      build.onResolve({ filter: /^virtual:pages$/ }, () => ({ path: "pages", namespace: "virtual-pages" }));
      build.onLoad({ filter: /.*/, namespace: "virtual-pages" }, () => ({
        resolveDir: here,
        contents: [
          ...pageNames.flatMap((name, at) => [
            `import * as page${at} from "./${pageEntry(name)}";`,
            `import { data as data${at}, head as head${at} } from "./src/pages/${name}/data.server.ts";`,
          ]),
          `export const serverPages = { ${pageNames.map((name, at) => `"${name}": { ...page${at}, data: data${at}, head: head${at} }`).join(", ")} };`,
        ].join("\n"),
      }));
    },
  };
}

async function compressAll(folder) {
  for (const name of await readdir(folder)) {
    if (/\.(js|css|svg|json|webmanifest|txt|ico)$/.test(name)) await compress(path.join(folder, name));
  }
}

/** The compressed form alone is embedded: the program makes the others of it when they are asked for. */
async function compress(file) {
  const bytes = await readFile(file);
  const { BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_LGBLOCK, BROTLI_PARAM_NPOSTFIX } = zlib.constants;
  // Which setting is the best one for React's chunk changes with every name of a file in it, by a hundred bytes.
  const settings = [0, 16, 17].flatMap((block) => [0, 1].map((postfix) => ({ [BROTLI_PARAM_LGBLOCK]: block, [BROTLI_PARAM_NPOSTFIX]: postfix })));
  const all = await Promise.all(settings.map((setting) => brotli(bytes, { params: { [BROTLI_PARAM_SIZE_HINT]: bytes.length, ...setting } })));
  await writeFile(`${file}.br`, all.reduce((best, one) => (one.length < best.length ? one : best)));
  await rm(file);
}

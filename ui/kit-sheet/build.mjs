// Bundles the sheet of the kit into a folder, as a page that needs no server.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const ui = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Returns the path of the page. */
export async function buildSheet(folder) {
  await mkdir(folder, { recursive: true });
  await esbuild.build({
    absWorkingDir: ui,
    entryPoints: { sheet: "kit-sheet/sheet.tsx", site: "src/styles/site.css", admin: "src/styles/admin.css", own: "kit-sheet/sheet.css" },
    outdir: folder,
    bundle: true,
    format: "iife",
    jsx: "automatic",
    loader: { ".woff2": "file", ".svg": "file" },
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "warning",
  });
  const page = path.join(folder, "index.html");
  await writeFile(page, `<!doctype html>
<html lang="en" data-live>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The kit</title>
<link rel="icon" href="data:,">
${["site", "admin", "own"].map((style) => `<link rel="stylesheet" href="${style}.css">`).join("\n")}
</head>
<body>
<div id="app"></div>
<script src="sheet.js"></script>
</body>
</html>
`);
  return page;
}

import { defineConfig } from "vitest/config";

// Two files at a time, each with a browser and a server of its own: most of a test is waiting.
export default defineConfig({
  // tests/firefox has a Playwright of its own.
  resolve: { alias: process.env.PLAYWRIGHT ? { "playwright-core": process.env.PLAYWRIGHT } : {} },
  test: {
    include: ["e2e/**/*.e2e.ts"],
    // tests/webkit runs this one alone.
    exclude: process.env.WEBKIT ? [] : ["e2e/webkit.e2e.ts"],
    tags: [{ name: "firefox", description: "Runs in Firefox too: tests/firefox." }],
    maxWorkers: 2,
    // Only to end a test that hangs. They assert nothing about speed.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
  },
});

import { defineConfig } from "vitest/config";

// Two files at a time, each with a browser and a server of its own: most of a test is waiting.
export default defineConfig({
  test: {
    include: ["e2e/**/*.e2e.ts"],
    maxWorkers: 2,
    // What is waited for is bound to come: these end what never does, and say nothing of speed.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

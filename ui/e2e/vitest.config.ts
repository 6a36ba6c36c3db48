import { defineConfig } from "vitest/config";

// Two files at a time, each with a browser and a server of its own: most of a test is waiting.
export default defineConfig({
  test: {
    include: ["e2e/**/*.e2e.ts"],
    maxWorkers: 2,
    // Only to end a test that hangs. They assert nothing about speed.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
  },
});

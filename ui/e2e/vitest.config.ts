import { defineConfig } from "vitest/config";

// One browser and one server at a time: the machine belongs to the tests that run now.
export default defineConfig({
  test: {
    include: ["e2e/**/*.e2e.ts"],
    fileParallelism: false,
    // What is waited for is bound to come: these end what never does, and say nothing of speed.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

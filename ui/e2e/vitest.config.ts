import { defineConfig } from "vitest/config";

// One browser and one server at a time: the machine belongs to the tests that run now.
export default defineConfig({
  test: {
    include: ["e2e/**/*.e2e.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

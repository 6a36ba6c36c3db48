import { defineConfig } from "vitest/config";

export default defineConfig({
  // As the server bundle resolves: what the server renders is what is tested.
  resolve: { extensions: [".server.tsx", ".tsx", ".ts", ".mjs", ".js", ".json"] },
  // A busy machine takes its time; what never ends fails all the same.
  test: { include: ["src/**/*.test.{ts,tsx}"], testTimeout: 60_000, hookTimeout: 300_000 },
});

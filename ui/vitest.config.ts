import { defineConfig } from "vitest/config";

export default defineConfig({
  // As the server bundle resolves: what the server renders is what is tested.
  resolve: { extensions: [".server.tsx", ".tsx", ".ts", ".mjs", ".js", ".json"] },
  test: { include: ["src/**/*.test.ts"] },
});

import { expect, it } from "vitest";
import { versioned } from "./versioned";

it("reads the tag of an answer that a proxy has compressed as the one that the server gave it", async () => {
  for (const tag of ['"7"', 'W/"7"']) {
    expect(await versioned(new Response("[1]", { headers: { etag: tag } }))).toEqual({ value: [1], tag: '"7"' });
  }
});

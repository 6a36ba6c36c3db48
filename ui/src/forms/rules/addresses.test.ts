import { expect, it } from "vitest";
import { completedUrl } from "./text";

it.each([
  ["example.com", "https://example.com"],
  ["  www.example.com/a?b=c ", "https://www.example.com/a?b=c"],
  ["//example.com", "https://example.com"],
  ["example.com:8080/x", "https://example.com:8080/x"],
  ["münchen.example", "https://münchen.example"],
  ["http://example.com", "http://example.com"],
  ["javascript:alert(1)", "javascript:alert(1)"],
  ["ana@example.com", "ana@example.com"],
  ["my site", "my site"],
  ["portfolio", "portfolio"],
  ["", ""],
])("completes %j to %j", (typed, completed) => {
  expect(completedUrl(typed)).toBe(completed);
});

import { expect, it } from "vitest";
import { countText } from "./list-page";

const all = { search: "", status: "", category: "" };
const list = (length: number, total: number, page = 1) => ({ items: Array.from({ length }), total, page, pageSize: 50 });

it("counts a whole list, a filtered one, and a page of one", () => {
  expect(countText(list(3, 3), all)).toBe("3 total");
  expect(countText(list(3, 3), { ...all, search: "ada" })).toBe("3 found");
  expect(countText(list(50, 1053), all)).toBe("1 to 50 of 1,053");
  expect(countText(list(3, 53, 2), all)).toBe("51 to 53 of 53");
  expect(countText(list(0, 53, 9), all)).toBe("53 total");
});

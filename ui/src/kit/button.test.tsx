import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { Button, buttonClass } from "./button";

it("is a button that sends nothing unless it is asked to", () => {
  expect(renderToStaticMarkup(<Button>Save</Button>)).toBe('<button type="button" class="button button-primary">Save</button>');
  expect(renderToStaticMarkup(<Button type="submit" look="text">Save</Button>)).toBe('<button type="submit" class="text-button">Save</button>');
});

it("says what is under way, and can still be focused", () => {
  expect(renderToStaticMarkup(<Button busy busyLabel="Saving…">Save</Button>)).toBe('<button type="button" class="button button-primary" aria-disabled="true">Saving…</button>');
  expect(renderToStaticMarkup(<Button inactive>Save</Button>)).toContain('aria-disabled="true">Save');
});

it("ignores a press while it is inactive", () => {
  const [onClick, preventDefault] = [vi.fn(), vi.fn()];
  const { onClick: press } = Button({ inactive: true, onClick }).props as { onClick: (event: object) => void };
  press({ preventDefault });
  expect([onClick.mock.calls.length, preventDefault.mock.calls.length]).toEqual([0, 1]);
});

it("lends its look to a link", () => {
  expect([buttonClass("outline"), buttonClass("plain", "is-closed")]).toEqual(["button button-outline", "button button-plain is-closed"]);
});

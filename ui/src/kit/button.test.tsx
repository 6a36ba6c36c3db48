import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Button } from "./button";

it("is a button that sends nothing unless it is asked to", () => {
  expect(renderToStaticMarkup(<Button>Save</Button>)).toBe('<button type="button" class="button button-primary">Save</button>');
  expect(renderToStaticMarkup(<Button type="submit" look="text">Save</Button>)).toBe('<button type="submit" class="text-button">Save</button>');
});

it("says what is under way, and can still be focused", () => {
  expect(renderToStaticMarkup(<Button busy busyLabel="Saving…">Save</Button>)).toBe('<button type="button" class="button button-primary" aria-disabled="true">Saving…</button>');
  expect(renderToStaticMarkup(<Button inactive>Save</Button>)).toContain('aria-disabled="true">Save');
});

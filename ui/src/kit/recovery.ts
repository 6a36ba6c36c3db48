// What happens when script that a page needs cannot be loaded or fails. It is part of the boot script, which every
// page loads first, so it stays small.

/** The build that this page belongs to: the name of the first module changes with every other one. */
const build = () => document.querySelector('link[href*="entry-client"]')?.getAttribute("href") ?? "";

/**
 * Reloads the page for a chunk that is gone, as after an update of the site: once for each build, and only when the
 * server can be reached. False when the page stays as it is.
 */
export async function reloadOnce(): Promise<boolean> {
  try {
    if (sessionStorage.getItem("reloaded") === build()) return false;
    const { status } = await fetch(location.href, { method: "HEAD", cache: "no-store" });
    if (status > 499) return false;
    sessionStorage.setItem("reloaded", build());
  } catch {
    // Without a connection a reload would lose the page; without storage it could go on forever.
    return false;
  }
  keepTyped();
  location.reload();
  return true;
}

/** Shows the page's notice with its "Reload" link. The buttons do nothing any more, and look like it. */
export function showFailure(buttons: Iterable<Element> = document.querySelectorAll("form[data-waiting] button")): void {
  document.documentElement.dataset.failed = "";
  for (const button of buttons) button.setAttribute("aria-disabled", "true");
  addEventListener("pagehide", keepTyped);
}

/** Saves what was typed into a form that is not live yet as its draft, which the form restores after the reload. */
function keepTyped(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-waiting]")) {
    const values: Record<string, string> = {};
    for (const field of form.querySelectorAll<HTMLInputElement>("input:not([type=checkbox], [type=radio]), textarea")) {
      if (field.value) values[field.name] = field.value;
    }
    const key = `draft:${form.dataset.waiting}`;
    try {
      const draft = JSON.parse(localStorage.getItem(key) ?? "{}") as { values?: object };
      if (Object.keys(values).length > 0) localStorage.setItem(key, JSON.stringify({ ...draft, values: { ...draft.values, ...values }, savedAt: Date.now() }));
    } catch {
      // There is no storage to write to.
    }
  }
}

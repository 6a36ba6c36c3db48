const keptAt = "door-list-ticks-";

/**
 * Keeps the ticks of a door list on this device. The list has no script: its checkboxes are disabled until this enables them.
 * Nothing happens with a list that has none.
 */
export function keepTicks(list: Document, day: string, onCount: (here: number, all: number) => void): void {
  const boxes = [...list.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
  if (boxes.length === 0) return;
  const kept = new Set(readTicks(day));
  for (const box of boxes) {
    box.disabled = false;
    box.checked = kept.has(box.id);
  }
  const count = () => onCount(boxes.filter(({ checked }) => checked).length, boxes.length);
  list.addEventListener("change", () => {
    writeTicks(day, boxes.filter(({ checked }) => checked).map(({ id }) => id));
    count();
  });
  count();
}

function readTicks(day: string): string[] {
  try {
    return JSON.parse(localStorage.getItem(keptAt + day) ?? "[]") as string[];
  } catch {
    return [];
  }
}

function writeTicks(day: string, ids: string[]): void {
  try {
    localStorage.setItem(keptAt + day, JSON.stringify(ids));
  } catch {
    // Without storage the ticks last as long as the page.
  }
}

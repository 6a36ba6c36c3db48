export interface Toast {
  id: number;
  title: string;
  message?: string;
  tone: "plain" | "destructive";
}

type Listener = () => void;

let shown: Toast | null = null;
let lastId = 0;
const listeners = new Set<Listener>();

/** Shows a notification in place of the one that is shown now. */
export function toast(content: { title: string; message?: string; tone?: Toast["tone"] }): void {
  lastId += 1;
  change({ tone: "plain", ...content, id: lastId });
}

export function removeToast(id: number): void {
  if (shown?.id === id) change(null);
}

/** Takes away whatever is shown, because it no longer holds. */
export function clearToast(): void {
  if (shown) change(null);
}

export function shownToast(): Toast | null {
  return shown;
}

export function subscribeToToasts(listener: Listener): Listener {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: Toast | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

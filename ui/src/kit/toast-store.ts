import type { ComponentType } from "react";

export interface Toast {
  id: number;
  title: string;
  message?: string;
  tone: "plain" | "destructive";
}

interface Content {
  title: string;
  message?: string;
  tone?: Toast["tone"];
}

type Listener = () => void;

let shown: Toast | null = null;
let area: ComponentType | null = null;
let following: Content | undefined;
let lastId = 0;
const listeners = new Set<Listener>();

/** Shows a notification instead of the current one. `next` follows when it has gone. */
export function toast(content: Content, next?: Content): void {
  lastId += 1;
  following = next;
  change({ tone: "plain", ...content, id: lastId });
}

export function removeToast(id: number): void {
  if (shown?.id !== id) return;
  if (following) toast(following);
  else change(null);
}

/** Removes the current notification, because it is no longer true. */
export function clearToast(): void {
  following = undefined;
  if (shown) change(null);
}

export function shownToast(): Toast | null {
  return shown;
}

export function subscribeToToasts(listener: Listener): Listener {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Makes the site show notifications, from the time that code is loaded which may send one. */
export function provideToasts(component: ComponentType): void {
  area = component;
  change(shown);
}

/** What shows notifications; null while nothing on the page sends one. */
export function toastArea(): ComponentType | null {
  return area;
}

function change(next: Toast | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Says that the server asked to wait because many people register from one network address, as in a hall. The request is retried by itself. */
export function notifyRateLimited(): void {
  toast({ title: "One moment", message: "Many people are registering from where you are. We send yours as soon as it is its turn: please keep this page open." });
}

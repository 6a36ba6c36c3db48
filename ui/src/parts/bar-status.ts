/** What the bar says in place of its button while somebody is on a way of several steps. */
export interface BarStatus {
  step: string;
  /** What it costs so far; "" while that is not known. */
  amount: string;
}

type Listener = () => void;

let shown: BarStatus | null = null;
const listeners = new Set<Listener>();

export function showBarStatus(status: BarStatus | null): void {
  shown = status;
  for (const listener of listeners) listener();
}

export function barStatus(): BarStatus | null {
  return shown;
}

export function subscribeToBarStatus(listener: Listener): Listener {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

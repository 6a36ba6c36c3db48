import { toast } from "./toast-store";

/** Many people register behind one address, as in a hall: the page goes on by itself. */
export function tellOfTheTurn(): void {
  toast({ title: "One moment", message: "Many people are registering from where you are. We send yours as soon as it is its turn: please keep this page open." });
}

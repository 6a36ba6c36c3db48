import { toast } from "./toast-store";

/** Says that the server asked to wait because many people register from one network address, as in a hall. The request is retried by itself. */
export function tellOfTheTurn(): void {
  toast({ title: "One moment", message: "Many people are registering from where you are. We send yours as soon as it is its turn: please keep this page open." });
}

import type { KeptFile } from "./photo-files";
import type { NominationState, OwnNomination, OwnSlot } from "../lib/answer-types";

export const stateNames: Record<NominationState, string> = {
  open: "Not handed in yet",
  handed_in: "Handed in",
  returned: "Returned to you",
  ready: "Ready for the judges",
  withdrawn: "Withdrawn",
  forfeited: "Forfeited",
  disqualified: "Disqualified",
};

export const stateExplanations: Record<NominationState, string> = {
  open: "",
  handed_in: "We check your photos now. You get an email when they are ready for the judges, or if one of them has to be replaced.",
  returned: "Please replace the photos that are marked, and hand in again.",
  ready: "There is nothing more to do. Your photos go to the judges under this code, without your name.",
  withdrawn: "This nomination does not take part.",
  forfeited: "This nomination does not take part, because it was not handed in.",
  disqualified: "This nomination does not take part.",
};

/** Whether the state allows the competitor to change something, whatever the deadline. */
export function isUnfinished({ state }: OwnNomination): boolean {
  return state === "open" || state === "returned";
}

/** Whether the organiser asked for this photo again, and it has not been replaced since. */
export function isToReplace({ state, returnedAt }: Pick<OwnNomination, "state" | "returnedAt">, { open, media }: Pick<OwnSlot, "open" | "media">): boolean {
  return state === "returned" && open && media !== null && media.createdAt <= (returnedAt ?? "");
}

/** Whether an upload that a reload interrupted can continue: into an open slot, or after the deadline for a photo that is missing. */
export function isWanted({ id, slots, release, missing, canHandIn }: Pick<OwnNomination, "id" | "slots" | "release" | "missing" | "canHandIn">, file: { nomination: number; slot: string }): boolean {
  if (id !== file.nomination) return false;
  return [...slots, release.paper].some(({ key, open }) => key === file.slot && (open || (canHandIn && missing.includes(key))));
}

/** Whether the slot has had another photo since this file was chosen, for instance from another device. */
export function isOutdated({ id, slots, release }: Pick<OwnNomination, "id" | "slots" | "release">, { nomination, slot, replaces }: Omit<KeptFile, "file">): boolean {
  return id === nomination && replaces !== ([...slots, release.paper].find(({ key }) => key === slot)?.media?.id ?? null);
}

/** What there is to do before the nomination can be handed in, as a sentence. */
export function todoText(nomination: OwnNomination): string {
  const { slots, missing, canHandIn } = nomination;
  if (!canHandIn) return "The deadline has passed.";
  const photos = slots.filter((slot) => isToReplace(nomination, slot)).length;
  const absent = missing.filter((key) => !slots.some((slot) => slot.key === key && slot.media !== null));
  const todo = [missingText({ missing: absent }), ...(photos > 0 ? [photos === 1 ? "1 photo has to be replaced" : `${photos} photos have to be replaced`] : [])];
  return todo.filter((part) => part !== "").map((part) => `${part}.`).join(" ") || "Nothing is missing. You can hand it in.";
}

/** "2 photos and the model release are missing"; "" when nothing is. */
export function missingText({ missing }: Pick<OwnNomination, "missing">): string {
  const photos = missing.filter((key) => key !== "release").length;
  const parts = [
    ...(photos > 0 ? [photos === 1 ? "1 photo" : `${photos} photos`] : []),
    ...(missing.includes("release") ? ["the model release"] : []),
  ];
  if (parts.length === 0) return "";
  return `${parts.join(" and ")} ${parts.length === 1 && photos < 2 ? "is" : "are"} missing`.replace(/^t/, "T");
}

/** A reason may have a line for each photo: "Close-up: it is blurred." */
export function reasonOf({ reason }: Pick<OwnNomination, "reason">, { label }: Pick<OwnSlot, "label">): string | undefined {
  const line = reason?.split("\n").find((one) => one.startsWith(`${label}: `));
  return line?.slice(label.length + 2);
}

/** The lines of the reason that are about no photo by name. */
export function generalReason({ reason, slots, release }: Pick<OwnNomination, "reason" | "slots" | "release">): string {
  const lines = reason?.split("\n") ?? [];
  return lines.filter((line) => ![...slots, release.paper].some(({ label }) => line.startsWith(`${label}: `))).join("\n").trim();
}

/** "3.4 MB" */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

import { useEffect, useEffectEvent } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useLocation } from "wouter";
import type { Values } from "../../forms/rules/rules";
import { requestJson } from "../../lib/request";
import type { EntryData } from "../entry-data.server";
import { noCategories, withLabel, type EntryCategories } from "../form/entry-categories";
import type { EntryEvent } from "../machine";
import { changeAttempt, claimAttempt, lastShown, lastSent, loadAttempt, noteShown } from "./entry-attempt";
import { lastPaidFor, lastPending } from "./own-payments";
import { read, write } from "../../lib/browser-storage";

/**
 * Reads what the page was opened with: the return from a payment (`?success=true`), a category (`?category=`), or a
 * payment that this browser began without learning its outcome.
 */
export function useOpenedWith(data: EntryData, methods: UseFormReturn<Values>, dispatch: (event: EntryEvent) => void, onInvited: () => void): void {
  const [path, navigate] = useLocation();
  const readAddress = useEffectEvent(() => {
    claimAttempt();
    const address = new URLSearchParams(location.search);
    if (address.get("success") === "true") {
      const shown = lastShown();
      const clientSecret = address.get("payment_intent_client_secret") ?? shown?.clientSecret ?? loadAttempt().clientSecret ?? lastPending();
      if (clientSecret && clientSecret !== shown?.clientSecret) noteShown({ clientSecret, paid: false });
      // The secret must not stay in the history, in a bookmark or in a screenshot.
      navigate(`${path}?success=true`, { replace: true });
      return dispatch({ type: "returned", clientSecret });
    }
    const label = address.get("category");
    prefill(data, methods, label);
    void takeInvitation().then((invitation) => {
      if (invitation?.email && !methods.getValues("email")) methods.setValue("email", invitation.email, { shouldDirty: true });
      if (invitation?.opensForm) onInvited();
    });
    dispatch({ type: "opened", linked: label !== null, begun: loadAttempt().clientSecret ?? lastPending() ?? lastSent(), entered: lastPaidFor() });
  });
  useEffect(() => readAddress(), []);
}

/** Fills in the category of the link that led here. A reload, or going back, does not undo what was chosen afterwards. */
function prefill({ cards }: EntryData, { getValues, setValue }: UseFormReturn<Values>, label: string | null): void {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isFollowed = navigation === undefined || navigation.type === "navigate";
  if (label === null || (!isFollowed && loadAttempt().prefilled === label)) return;
  changeAttempt({ prefilled: label });
  const before = { ...noCategories, ...pick(getValues()) };
  const after = withLabel(before, label, cards);
  for (const name of names) if (after[name] !== before[name]) setValue(name, after[name], { shouldDirty: true });
}

const names = Object.keys(noCategories) as (keyof EntryCategories)[];

function pick(values: Values): Partial<EntryCategories> {
  return Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));
}

const name = "entry-invitation";
/** The token, for a browser without storage. It lasts as long as the page. */
let inMemory: string | undefined;

interface Invitation {
  /** Null once the invitation has ended. */
  email: string | null;
  /** The form may be sent, even if it is closed to everybody else. */
  opensForm: boolean;
}

/**
 * Takes the token of a personal link from the waitlist (`#invitation=`) out of the address, where it would stay in the
 * history and in screenshots, and keeps it until the tab is closed. Returns what the server says of it.
 */
async function takeInvitation(): Promise<Invitation | undefined> {
  const linked = new URLSearchParams(location.hash.slice(1)).get("invitation");
  if (linked) {
    inMemory = linked;
    write(() => sessionStorage, name, linked);
    history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  }
  const { invitation: token } = invitationOfEntry();
  if (!token) return undefined;
  try {
    return await requestJson<Invitation>("/api/waitlist-invitations/check", { method: "POST", body: { token } });
  } catch {
    // The form works without it: an entry from the same address accepts the invitation as well.
    return undefined;
  }
}

/** The `invitation` field of the entry's request; an empty object without a token. */
export function invitationOfEntry(): { invitation?: string } {
  const token = read<string>(() => sessionStorage, name) ?? inMemory;
  return token ? { invitation: token } : {};
}

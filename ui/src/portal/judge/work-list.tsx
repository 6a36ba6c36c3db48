import { useEffect, useEffectEvent } from "react";
import { Button } from "../../kit/button";
import { Title } from "../frame";
import { sheetStates, type Category, type Item, type Work } from "./api";
import type { ScoringContext } from "./scoring";
import { countText, isOf, unfinished, savedText } from "./words";
import type { Sending } from "./changes";

/** Everything that the judge scores, by category, in the judge's own order. */
export function WorkList({ name, context }: { name: string; context: ScoringContext }) {
  const { work, sending, open } = context;
  const reload = useEffectEvent(() => void context.reload());
  const isAllSent = sending.waiting.length === 0;
  // The list says how far each sheet is, which the values sent since it was read have changed.
  useEffect(() => {
    if (isAllSent) reload();
  }, [isAllSent]);
  const next = unfinished(work.items)[0];
  const isHead = work.categories.some(({ head }) => head);
  return (
    <>
      <Title takesFocus>Your nominations</Title>
      <p className="lead">{work.items.length === 0 ? `There is nothing to score yet, ${name}. The organizer tells you when there is.` : countText(work.items)}</p>
      <SavedState sending={sending} />
      <div className="buttons judge-actions">
        {next && <Button onClick={() => open(next.token)}>{work.items.some(({ state }) => state !== "open") ? `Continue with ${next.code}` : `Start with ${next.code}`}</Button>}
        <Button look="outline" onClick={() => open("people")}>Declare a conflict of interest</Button>
        {isHead && <Button look="outline" onClick={() => open("panel")}>Head judge: reopen a sheet{work.ties.length > 0 && ", break a tie"}</Button>}
      </div>
      {work.categories.map((category) => <CategoryWork key={category.label} category={category} work={work} context={context} />)}
    </>
  );
}

function CategoryWork({ category, work, context }: { category: Category; work: Work; context: ScoringContext }) {
  const items = work.items.filter((item) => isOf(item, category));
  return (
    <section aria-label={category.label}>
      <h2 className="portal-part">{category.label}</h2>
      {category.state !== "scoring" && <p className="portal-lead">Sealed: nothing can be changed any more. Thank you.</p>}
      {items.length === 0 && <p className="portal-lead">No nomination to score.</p>}
      <ul className="work">
        {items.map((item) => <li key={item.token}><WorkItem item={item} waiting={context.sending.waiting.filter(({ sheet }) => sheet === item.token).length} isRefused={context.sending.refused.has(item.token)} onOpen={() => context.open(item.token)} /></li>)}
      </ul>
    </section>
  );
}

function WorkItem({ item: { code, state, missing }, waiting, isRefused, onOpen }: { item: Item; waiting: number; isRefused: boolean; onOpen: () => void }) {
  const isPartial = state === "saved" && missing > 0;
  return (
    <button type="button" className="work-item" data-state={state} onClick={onOpen}>
      <span className="work-code figures">{code}</span>
      <span className="work-state">{sheetStates[state]}</span>
      <span className="soft figures">
        {waiting > 0 ? "Not sent yet" : isRefused ? "Not saved" : isPartial ? `${missing} left` : state === "saved" ? "Ready to confirm" : state === "open" ? `${missing} criteria` : ""}
      </span>
    </button>
  );
}

/** Tells whether the server has every value. Screen readers announce changes. */
export function SavedState({ sending, sheet }: { sending: Sending; sheet?: string }) {
  return <p role="status" className="judge-saved" data-offline={sending.state === "offline" || undefined}>{savedText(sending, sheet)}</p>;
}

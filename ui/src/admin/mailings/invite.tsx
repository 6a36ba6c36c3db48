import { useId, useState, type FormEvent } from "react";
import { useAction } from "../shell/use-action";
import { fieldErrors, invite } from "./api";

const days = { 1: "1 day", 2: "2 days", 3: "3 days", 7: "a week", 14: "two weeks" } as const;

/** Invites the next people on the waitlist to enter. */
export function Invite() {
  const id = useId();
  const { busy, act } = useAction();
  const [count, setCount] = useState("10");
  const [hold, setHold] = useState("3");
  const [wrong, setWrong] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    const until = new Date(Date.now() + Number(hold) * 86_400_000).toISOString();
    void act(
      async () => {
        try {
          await invite(Number(count), until);
          setWrong("");
        } catch (error) {
          setWrong(Object.values(fieldErrors(error) ?? {}).join(" "));
          throw error;
        }
      },
      { title: "Invited", message: "The invitations are in the outbox." },
      "Nobody was invited. Please try again.",
    );
  };
  return (
    <form className="mailing-part" onSubmit={send} noValidate aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="title">Invite from the waitlist</h2>
      <p className="measure">The next people who want to compete get a personal link to the entry form. Each signup says whether its invitation was accepted.</p>
      <label className="field-label" htmlFor={`${id}-count`}>How many people</label>
      <input id={`${id}-count`} className="input figures" inputMode="numeric" value={count} autoComplete="off" aria-describedby={`${id}-wrong`} onChange={(event) => setCount(event.target.value)} />
      <label className="field-label" htmlFor={`${id}-hold`}>The link holds for</label>
      <div className="select">
        <select id={`${id}-hold`} className="input" value={hold} onChange={(event) => setHold(event.target.value)}>
          {Object.entries(days).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
        </select>
      </div>
      <p id={`${id}-wrong`} className="field-error" role="status">{wrong}</p>
      <button type="submit" className="button button-outline" aria-disabled={busy}>{busy ? "Inviting..." : "Invite"}</button>
    </form>
  );
}

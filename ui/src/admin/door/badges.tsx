import { useState } from "react";
import { buttonClass } from "../../kit/button-class";
import { optionsOf, Select } from "../../kit/select";
import { serverNow } from "../../lib/server-clock";
import { Instant } from "../shell/instant";
import { badgesPath, roles } from "./api";

const keptAt = "badges-printed-at";
const sizes = { "4x3": "4 × 3 in", a6: "A6" } as const;

/** Badges to print. The browser remembers when it last opened them all, for those made since. */
export function Badges() {
  const [size, setSize] = useState("4x3");
  const [role, setRole] = useState("");
  const [printedAt, setPrintedAt] = useState(readPrintedAt);
  const note = () => {
    const now = new Date(serverNow()).toISOString();
    setPrintedAt(now);
    try {
      localStorage.setItem(keptAt, now);
    } catch {
      // Then all of them are printed next time.
    }
  };
  return (
    <section className="admin-part" aria-labelledby="badges-title">
      <h2 id="badges-title">Badges</h2>
      <p className="measure soft">They open in a tab of their own and print several to a sheet, with cutting marks. A badge for one person is on the ticket&rsquo;s page.</p>
      <div className="export-selection">
        <Select label="Badge size" options={optionsOf(sizes)} value={size} onChange={({ target }) => setSize(target.value)} />
        <Select label="Badges for" options={[{ value: "", label: "Everybody" }, ...optionsOf(roles)]} value={role} onChange={({ target }) => setRole(target.value)} />
      </div>
      <div className="card-buttons">
        <a className={buttonClass("outline")} href={badgesPath({ role, size })} target="_blank" rel="noopener" onClick={role === "" ? note : undefined}>Open the badges</a>
        {printedAt && <a className="text-button" href={badgesPath({ since: printedAt, size })} target="_blank" rel="noopener" onClick={note}>Only those made since <Instant at={printedAt} /></a>}
      </div>
    </section>
  );
}

function readPrintedAt(): string | undefined {
  try {
    return localStorage.getItem(keptAt) ?? undefined;
  } catch {
    return undefined;
  }
}

import { useState, type FormEvent } from "react";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Select } from "../../kit/select";
import { useJudges, type Detail } from "./api";
import type { Take } from "./use-category-steps";

type Role = "" | "judge" | "head" | "reserve";

const options = [{ value: "", label: "Not on this panel" }, { value: "judge", label: "Judge" }, { value: "head", label: "Head judge" }, { value: "reserve", label: "Reserve" }];

/** Who scores this category. */
export function Panel({ detail, busy, take }: { detail: Detail; busy: boolean; take: Take }) {
  const read = useJudges();
  const { panel } = detail;
  const [roles, setRoles] = useState<Record<number, Role>>(() => Object.fromEntries([
    ...panel.judges.map(({ id }) => [id, id === panel.head ? "head" : "judge"] as const), ...panel.reserves.map(({ id }) => [id, "reserve"] as const),
  ]));
  const [error, setError] = useState("");
  const of = (...wanted: Role[]) => Object.entries(roles).filter(([, role]) => wanted.includes(role)).map(([id]) => Number(id));
  const save = (event: FormEvent) => {
    event.preventDefault();
    const [head, second] = of("head");
    const message = head === undefined ? "Please choose the head judge" : second !== undefined ? "There is one head judge in a category" : "";
    setError(message);
    if (message === "" && head !== undefined) void take({ action: "panel", judges: of("judge", "head"), head, reserves: of("reserve") }, { title: "Panel Saved", message: "Its judges see the nominations now." });
  };
  return (
    <section className="admin-part" aria-labelledby="panel-title">
      <h2 id="panel-title">Panel</h2>
      <p className="measure">Every judge of the panel scores every nomination of the category. A reserve steps in where a judge has a conflict.</p>
      <Loaded of={read} loading="Loading the judges…" failed="The judges could not be loaded." isEmpty={({ items }) => items.length === 0} empty={<p className="empty">No judge is invited yet.</p>}>
        {({ items }) => (
          <form className="panel-form" noValidate onSubmit={save}>
            {error && <p className="field-error" role="alert">{error}</p>}
            <div className="panel-roles">
              {items.map(({ id, name }) => (
                <Select key={id} label={name} value={roles[id] ?? ""} options={options} onChange={({ target }) => setRoles({ ...roles, [id]: target.value as Role })} />
              ))}
            </div>
            <Button type="submit" busy={busy} busyLabel="Saving…">Save the panel</Button>
          </form>
        )}
      </Loaded>
    </section>
  );
}

import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Select } from "../../kit/select";
import { useValidForm } from "../shell/use-valid-form";
import { useJudges, type Detail, type Judge } from "./api";
import { panelSchema, rolesOf } from "./panel-schema";
import type { Take } from "./use-category-steps";

const options = [{ value: "", label: "Not on this panel" }, { value: "judge", label: "Judge" }, { value: "head", label: "Head judge" }, { value: "reserve", label: "Reserve" }];

/** Who scores this category. */
export function Panel({ detail, busy, take }: { detail: Detail; busy: boolean; take: Take }) {
  const read = useJudges();
  return (
    <section className="admin-part" aria-labelledby="panel-title">
      <h2 id="panel-title">Panel</h2>
      <p className="measure">Every judge of the panel scores every nomination of the category. A reserve steps in where a judge has a conflict.</p>
      <Loaded of={read} loading="Loading the judges…" failed="The judges could not be loaded." keepsData isEmpty={({ items }) => items.length === 0} empty={<p className="empty">No judge is invited yet.</p>}>
        {({ items }) => <RolesForm judges={items} panel={detail.panel} busy={busy} take={take} />}
      </Loaded>
    </section>
  );
}

function RolesForm({ judges, panel, busy, take }: { judges: Judge[]; panel: Detail["panel"]; busy: boolean; take: Take }) {
  const ids = judges.map(({ id }) => String(id));
  const { register, handleSubmit, setError, formState: { errors } } = useValidForm(panelSchema, rolesOf(panel, judges));
  const save = handleSubmit(({ judges: chosen, heads: [head, second], reserves }) => {
    if (head === undefined) return setError(String(judges[0]?.id), { message: "Please choose the head judge" }, { shouldFocus: true });
    if (second !== undefined) return setError(String(second), { message: "There is one head judge in a category" }, { shouldFocus: true });
    void take({ action: "panel", judges: chosen, head, reserves }, { title: "Panel Saved", message: "Its judges see the nominations now." });
  });
  return (
    <form className="panel-form" noValidate onSubmit={(event) => void save(event)}>
      <div className="panel-roles">
        {judges.map(({ id, name }) => <Select key={id} label={name} options={options} error={errors[id]?.message} {...register(String(id), { deps: ids })} />)}
      </div>
      <Button type="submit" busy={busy} busyLabel="Saving…">Save the panel</Button>
    </form>
  );
}

import { useState, type ReactNode } from "react";
import { email as emailRule, nonEmpty, object, pipe, string, trim } from "valibot";
import type { Judge, JudgeApplication } from "../../lib/answer-types";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { TextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { Part } from "../shell/parts";
import { EmailLine } from "../shell/values";
import { Instant } from "../shell/admin-context";
import { useAction, showAtFields, useActionForm } from "../shell/use-form";
import { inviteJudge, removeJudge, replaceLink, roles, useJudges, warningOf, changeJudge, type Invitation, type JudgeDetails } from "./api";

/** Who judges: invited from accepted applications or by hand. */
export function Judges() {
  const read = useJudges();
  const reload = () => read.mutate();
  return (
    <Part title="Judges">
      <Loaded of={read} loading="Loading the judges…" failed="The judges could not be loaded." keepsData>
        {({ items, applications }) => (
          <>
            {items.length === 0 ? <p className="empty">No judge is invited yet.</p> : <JudgeTable judges={items} onChanged={reload} />}
            <Invite applications={applications.filter(({ invited }) => !invited)} onInvited={reload} />
          </>
        )}
      </Loaded>
    </Part>
  );
}

function JudgeTable({ judges, onChanged }: { judges: Judge[]; onChanged: () => unknown }) {
  const { busy, act } = useAction(onChanged);
  const [removing, setRemoving] = useState<Judge>();
  const [editing, setEditing] = useState<Judge>();
  const newLink = ({ id, email }: Judge) => act(() => replaceLink(id), { title: "New Link", message: `It is on its way to ${email}. Former links and sessions are ended.` }, "The email could not be sent. Please try again.");
  const remove = ({ id, name }: Judge) => act(
    () => removeJudge(id).then(() => setRemoving(undefined)),
    { title: "Judge Removed", message: `${name} can no longer sign in.` }, "The judge could not be removed. Please try again.",
  );
  return (
    <>
      <Table
        caption="Judges" rows={judges} rowKey={({ id }) => id}
        columns={[
          { name: "judge", label: "Judge", cell: ({ name, publicName, email, panels, warnings }) => <><span className="row-name">{name}</span>{panels.length > 0 && <span className="row-email narrow-only">{panelLines(panels)}</span>}{publicName && <span className="row-email">{publicName} on the site</span>}<EmailLine email={email} />{warnings.map((warning) => <span key={warning} className="row-error">{warning}</span>)}</> },
          { name: "panels", label: "Panels", from: "wide", cell: ({ panels }) => panels.length === 0 ? <span className="soft">None yet</span> : panelLines(panels) },
          { name: "terms", label: "Terms", from: "wide", cell: ({ termsAcceptedAt }) => termsAcceptedAt ? <Instant at={termsAcceptedAt} /> : <span className="soft">Not accepted yet</span> },
          {
            name: "actions", label: "Actions", hideLabel: true,
            cell: (judge) => (
              <span className="row-actions">
                <Button look="text" onClick={() => setEditing(judge)}>Edit…<span className="hidden-text"> {judge.name}</span></Button>
                <Button look="text" inactive={busy} onClick={() => newLink(judge)}>New link<span className="hidden-text"> for {judge.name}, ends former ones</span></Button>
                <Button look="text" onClick={() => setRemoving(judge)}>Remove…<span className="hidden-text"> {judge.name}</span></Button>
              </span>
            ),
          },
        ]}
      />
      {editing && <EditJudge judge={editing} onClose={() => setEditing(undefined)} onChanged={onChanged} />}
      {removing && (
        <Dialog small title={`Remove ${removing.name}?`} onClose={() => setRemoving(undefined)} closeLabel="Cancel" actions={<Button busy={busy} onClick={() => remove(removing)}>Remove</Button>}>
          <p>Their link stops working, and sheets they have not begun are deleted. A judge who has given points in an unpublished category can&rsquo;t be removed.</p>
        </Dialog>
      )}
    </>
  );
}

function panelLines(panels: Judge["panels"]): ReactNode {
  return panels.map(({ label, role }) => <span key={label} className="line">{label}{role !== "judge" && `, ${roles[role].toLowerCase()}`}</span>);
}

const schema = object({
  name: pipe(string(), trim(), nonEmpty("Please enter a name")),
  email: pipe(string(), trim(), nonEmpty("Please enter an email address"), emailRule("Please check this email address")),
});

function Invite({ applications, onInvited }: { applications: JudgeApplication[]; onInvited: () => unknown }) {
  const [warned, setWarned] = useState<{ invitation: Invitation; warning: string }>();
  const form = useActionForm(schema, { name: "", email: "" }, onInvited);
  const { busy, act, field, handleSubmit, reset } = form;
  const invite = (invitation: Invitation) => act(
    async () => {
      await inviteJudge(invitation);
      setWarned(undefined);
      reset();
    },
    { title: "Judge Invited", message: `The link is on its way to ${invitation.email}.` },
    "The judge could not be invited. Please try again.", (error) => {
      const warning = warningOf(error);
      if (warning === undefined) return showAtFields(form, error);
      setWarned({ invitation, warning });
      return true;
    },
  );
  return (
    <div className="judge-invite">
      {applications.length > 0 && (
        <>
          <h3>Accepted applications</h3>
          <ul className="judge-applications">
            {applications.map(({ id, name, email, company }) => (
              <li key={id}><span>{name}{company && <span className="soft">, {company}</span>}</span> <Button look="text" inactive={busy} onClick={() => invite({ name, email, applicationId: id })}>Invite<span className="hidden-text"> {name}</span></Button></li>
            ))}
          </ul>
        </>
      )}
      <h3>Invite a judge</h3>
      <form className="judge-form-row" noValidate onSubmit={(event) => void handleSubmit((values) => invite(values))(event)}>
        <TextField label="Name" {...field("name")} />
        <TextField label="Email address" type="email" {...field("email")} />
        <Button type="submit" busy={busy} busyLabel="Inviting…">Invite</Button>
      </form>
      {warned && (
        <Dialog
          small title="Invite all the same?" onClose={() => setWarned(undefined)} closeLabel="Cancel"
          actions={<Button busy={busy} onClick={() => invite({ ...warned.invitation, anyway: true })}>Invite all the same</Button>}
        >
          <p>{warned.warning}</p>
          <p>This warning is recorded in the audit log. The judge does not score that entrant.</p>
        </Dialog>
      )}
    </div>
  );
}

const text = pipe(string(), trim());
const judgeSchema = object({
  name: pipe(text, nonEmpty("Please enter a name")),
  publicName: text,
  email: pipe(text, nonEmpty("Please enter an email address"), emailRule("Please check this email address")),
  phone: text,
  instagram: text,
  businessName: text,
});

/** A judge's details. By phone, Instagram and business the judge is compared with the entrants. */
function EditJudge({ judge, onClose, onChanged }: { judge: Judge; onClose: () => void; onChanged: () => unknown }) {
  const { busy, field, submit } = useActionForm<JudgeDetails, JudgeDetails>(judgeSchema, {
    name: judge.name, publicName: judge.publicName ?? "", email: judge.email,
    phone: judge.phone ?? "", instagram: judge.instagram ?? "", businessName: judge.businessName ?? "",
  }, onClose);
  const save = submit(
    async (details) => {
      await changeJudge(judge.id, details);
      await onChanged();
    },
    ({ name, email }) => ({
      title: "Judge Changed",
      message: email.toLowerCase() === judge.email.toLowerCase() ? `The details of ${name} are saved.` : `A new link is on its way to ${email}. The former links no longer work.`,
    }),
    "The details could not be saved. Please try again.",
  );
  return (
    <Dialog title={`Edit ${judge.name}`} onClose={onClose} closeLabel="Cancel" actions={<Button type="submit" form="edit-judge" busy={busy} busyLabel="Saving…">Save</Button>}>
      <form id="edit-judge" noValidate onSubmit={save}>
        <TextField label="Name" {...field("name")} />
        <TextField label="Name on the site" note="(if different)" hint="Shown to competitors and on certificates." {...field("publicName")} />
        <TextField label="Email address" type="email" hint="A new address gets a new link; links to the old one stop working." {...field("email")} />
        <TextField label="Phone" type="tel" note="(optional)" {...field("phone")} />
        <TextField label="Instagram" note="(optional)" {...field("instagram")} />
        <TextField label="Business" note="(optional)" {...field("businessName")} />
      </form>
    </Dialog>
  );
}

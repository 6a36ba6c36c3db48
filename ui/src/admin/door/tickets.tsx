import { useId, useState } from "react";
import { email as emailRule, nonEmpty, object, optional, pipe, string, trim, union, literal } from "valibot";
import { Button, buttonClass } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { TextField } from "../../kit/field";
import { optionsOf, Select } from "../../kit/select";
import { Table } from "../../kit/table";
import { useFilters, PagedList } from "../shell/list";
import { Part } from "../shell/parts";
import { AddressLink } from "../shell/address";
import { formatCount } from "../shell/numbers";
import { SearchField } from "../shell/search";
import { useAction, useActionForm } from "../shell/use-form";
import { addGuest, badgesPath, notePrinted, pageSize, roles, sendTickets, useFigures, useTickets, type Role } from "./api";

const states = { valid: "Valid", void: "Void" } as const;

/** Everybody who may come. */
export function Tickets() {
  const { filter, page, isFiltered, show } = useFilters("search", "role", "state");
  const read = useTickets(filter, page);
  const [open, setOpen] = useState<"guest" | "send">();
  return (
    <Part title="Tickets">
      <p className="measure soft">Everybody with a paid or complimentary entry and everybody accepted has one by itself. You add guests: press, helpers, friends.</p>
      <div className="list-tools list-tools-wide">
        <SearchField label="Search name, business or code" search={filter.search} onSearch={(search) => show({ search })} />
        <Select label="Role" value={filter.role} options={[{ value: "", label: "All roles" }, ...optionsOf(roles)]} onChange={({ target }) => show({ role: target.value })} />
        <Select label="State" value={filter.state} options={[{ value: "", label: "All" }, ...optionsOf(states)]} onChange={({ target }) => show({ state: target.value })} />
        <div className="list-actions">
          <Button look="text" onClick={() => setOpen("guest")}>Add a guest</Button>
          <Button look="text" onClick={() => setOpen("send")}>Send tickets</Button>
        </div>
      </div>
      <PagedList of={read} page={page} pageSize={pageSize} loading="Loading the tickets…" failed="The tickets could not be loaded." empty={<p className="empty">{isFiltered ? "No ticket is like this." : "No tickets yet. The first paid entry gets one."}</p>}>
        {({ items, total }) => (
          <>
            <p className="soft figures" role="status">{total === 1 ? "1 ticket" : `${formatCount(total)} tickets`}</p>
            <Table
              caption="Tickets" rows={items} rowKey={({ id }) => id}
              columns={[
                { name: "name", label: "Name", cell: ({ id, name, business }) => <><AddressLink to={{ id }} focusTitle className="row-link">{name}</AddressLink>{business && <span className="row-email">{business}</span>}</> },
                { name: "role", label: "Role", cell: ({ role, state }) => <>{roles[role]}{state === "void" && <span className="row-error">Void</span>}</> },
                { name: "note", label: "Note", from: "roomy", cell: ({ note, seat }) => [seat, note].filter(Boolean).join(", ") },
              ]}
            />
          </>
        )}
      </PagedList>
      {open === "guest" && <GuestDialog onClose={() => setOpen(undefined)} onAdded={() => read.mutate()} />}
      {open === "send" && <SendDialog onClose={() => setOpen(undefined)} />}
    </Part>
  );
}

const guestSchema = object({
  name: pipe(string(), trim(), nonEmpty("Please enter a name")),
  business: optional(string(), ""),
  note: optional(string(), ""),
  email: union([literal(""), pipe(string(), trim(), emailRule("Please enter an email address"))], "Please enter an email address"),
});

function GuestDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => unknown }) {
  const id = useId();
  const { busy, field, submit } = useActionForm(guestSchema, { name: "", business: "", note: "", email: "" }, onAdded);
  const save = submit(
    (guest) => addGuest(guest).then(onClose),
    ({ name, email }) => ({ title: "Guest Added", message: `${name} has a ticket.${email ? " Send it from the ticket\u2019s page." : ""}` }),
    "The guest could not be added. Please try again.",
  );
  return (
    <Dialog small title="Add a guest" closeLabel="Cancel" onClose={onClose} actions={<Button type="submit" form={id} busy={busy} busyLabel="Adding…">Add</Button>}>
      <form id={id} noValidate onSubmit={save}>
        <TextField label="Name" maxLength={100} {...field("name")} />
        <TextField label="Business" note="(optional)" maxLength={100} {...field("business")} />
        <TextField label="Note" note="(optional)" hint="The door and the ticket show it: “Press”, “No photos”" maxLength={200} {...field("note")} />
        <TextField label="Email" note="(optional)" type="email" {...field("email")} />
      </form>
    </Dialog>
  );
}

function SendDialog({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState("");
  const { busy, act } = useAction(onClose);
  const send = () => act(
    () => sendTickets(role),
    (sent) => (sent === 0 ? { title: "Nothing to Send", message: "Everybody has had their ticket." } : { title: "Sending", message: sent === 1 ? "1 ticket is on its way." : `${formatCount(sent)} tickets are on their way.` }),
    "The tickets could not be sent. Please try again.",
  );
  return (
    <Dialog small title="Send tickets" closeLabel="Cancel" onClose={onClose} actions={<Button busy={busy} busyLabel="Sending…" onClick={send}>Send</Button>}>
      <p>Everybody with a valid ticket and an address who has not been sent it gets it now. Tickets are also sent by themselves before the event.</p>
      <Select label="To" value={role} options={[{ value: "", label: "Everybody" }, ...optionsOf(roles)]} onChange={({ target }) => setRole(target.value)} />
    </Dialog>
  );
}

const sizes = { "4x3": "4 × 3 in", a6: "A6" } as const;

/** Badges to print, all or those not printed yet. The organiser confirms that they were printed, once for all organisers. */
export function Badges() {
  const [size, setSize] = useState("4x3");
  const [role, setRole] = useState("");
  const [opened, setOpened] = useState<{ role: string; at: string }>();
  const figures = useFigures();
  const { busy, act } = useAction(() => figures.mutate());
  const unprinted = figures.data?.unprinted ?? 0;
  // By the server's clock, because it compares this with when each ticket was made.
  const open = async (of: string) => {
    const read = await figures.mutate();
    if (read) setOpened({ role: of, at: read.at });
  };
  const confirm = ({ role: of, at }: { role: string; at: string }) => act(
    () => notePrinted(of, at).then(() => setOpened(undefined)),
    { title: "Badges Printed", message: "Tickets that are made from now on are not printed yet." },
    "That could not be saved. Please try again.",
  );
  return (
    <Part title="Badges">
      <p className="measure soft">They open in a tab of their own and print several to a sheet, with cutting marks. A badge for one person is on the ticket&rsquo;s page.</p>
      <div className="export-selection">
        <Select label="Badge size" options={optionsOf(sizes)} value={size} onChange={({ target }) => setSize(target.value)} />
        <Select label="Badges for" options={[{ value: "", label: "Everybody" }, ...optionsOf(roles)]} value={role} onChange={({ target }) => setRole(target.value)} />
      </div>
      <div className="card-buttons">
        <a className={buttonClass("outline")} href={badgesPath({ role, size })} target="_blank" rel="noopener" onClick={() => void open(role)}>Open the badges</a>
        {unprinted > 0 && <a className="text-button" href={badgesPath({ role, unprinted: true, size })} target="_blank" rel="noopener" onClick={() => void open(role)}>Only those not printed yet</a>}
      </div>
      <p className="soft figures" role="status">{figures.data && (unprinted === 0 ? "Every badge is printed." : unprinted === 1 ? "In all, 1 badge is not printed yet." : `In all, ${formatCount(unprinted)} badges are not printed yet.`)}</p>
      {opened && <div className="card-buttons"><Button look="text" busy={busy} onClick={() => confirm(opened)}>{opened.role ? `The badges for ${roles[opened.role as Role]} are printed` : "The badges are printed"}</Button></div>}
    </Part>
  );
}

import { useState } from "react";
import { nonEmpty, object, pipe, string, trim } from "valibot";
import { Link } from "wouter";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { TextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import { CopyLink } from "../../kit/copy-link";
import { QrCode } from "../../kit/qr-code";
import { Select } from "../../kit/select";
import { Table } from "../../kit/table";
import type { Device, Figures, ListFigures, Role } from "../../lib/answer-types";
import { serverNow } from "../../lib/clock";
import { Part } from "../shell/parts";
import { recordIn, useAddress, AddressLink } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { sections, sectionPath } from "../shell/sections";
import { Instant, useEventClock } from "../shell/admin-context";
import { useAction, useActionForm } from "../shell/use-form";
import { downloadList, type ListFormat } from "../lists/api";
import { formatCount } from "../shell/numbers";
import { Tickets, Badges } from "./tickets";
import { TicketPage } from "./ticket-page";
import { addDevice, endDevice, useDevices, roles, useFigures } from "./api";

/** The event's days: phones at the door, who came, tickets and badges; or with `?id=` one ticket. */
export function DoorSection() {
  const id = recordIn(useAddress());
  if (id !== undefined) return <TicketPage key={id} id={id} />;
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.door}</AdminTitle></header>
      <p className="measure">Volunteers let people in with their own phones, with or without a network. If everything fails, the door list under Lists has every name and code on paper.</p>
      <FiguresPart />
      <Devices />
      <Tickets />
      <Badges />
    </>
  );
}

/** In milliseconds. */
const hour = 3_600_000;

const schema = object({ name: pipe(string(), trim(), nonEmpty("Please give it a name")), hours: string() });

/** In hours from now; the empty one is the server's own end. */
const ends = [{ value: "", label: "When the event is over" }, { value: "12", label: "In 12 hours" }, { value: "24", label: "In 24 hours" }];

/** Volunteers' phones. */
function Devices() {
  const read = useDevices();
  const [made, setMade] = useState<{ name: string; url: string }>();
  const [ending, setEnding] = useState<number>();
  const { busy, act } = useAction(() => read.mutate());
  const end = ({ id, name }: Device) => act(
    () => endDevice(id).then(() => setEnding(undefined)),
    { title: "Phone Ended", message: `${name} stops at its next contact. Scans that it still has are taken for a day.` },
    "The phone could not be ended. Please try again.",
  );
  return (
    <Part title="Phones at the door">
      <p className="measure soft">Give each phone a name, and let the volunteer scan the code that appears. It sees names, roles and notes, no addresses and no amounts, and stops by itself.</p>
      <NewDevice onMade={(device) => {
        setMade(device);
        void read.mutate();
      }} />
      <Loaded of={read} loading="Loading the phones…" failed="The phones could not be loaded." keepsData isEmpty={({ items }) => items.length === 0} empty={<p className="empty">No phones yet.</p>}>
        {({ items }) => (
          <Table
            caption="Phones at the door" rows={items} rowKey={({ id }) => id}
            columns={[
              { name: "name", label: "Name", cell: ({ name, waiting }) => <>{name}{waiting ? <span className="row-email">{waiting === 1 ? "1 scan waits" : `${waiting} scans wait`} on it</span> : null}</> },
              { name: "seen", label: "Last heard of", cell: ({ lastSeenAt }) => lastSeenAt ? <Instant at={lastSeenAt} /> : <span className="soft">Not opened yet</span> },
              { name: "until", label: "Until", from: "wide", cell: ({ until }) => <Instant at={until} /> },
              {
                name: "end", label: "End", hideLabel: true,
                cell: (device) => Date.parse(device.until) <= serverNow() ? <span className="soft">Over</span> : ending === device.id
                  ? <Button look="text" inactive={busy} onClick={() => end(device)}>Really end {device.name}</Button>
                  : <Button look="text" onClick={() => setEnding(device.id)}>End<span className="hidden-text"> {device.name}</span></Button>,
              },
            ]}
          />
        )}
      </Loaded>
      {made && (
        <Dialog title={made.name} eyebrow="Phone at the door" closeLabel="Done" onClose={() => setMade(undefined)}>
          <p>The volunteer scans this code with the phone&rsquo;s camera and opens the link. The code is shown only now: if it is lost, make the phone a new one.</p>
          <p className="door-code"><QrCode text={made.url} label={`QR code that opens ${made.name}`} /></p>
          <CopyLink link={made.url} />
        </Dialog>
      )}
    </Part>
  );
}

function NewDevice({ onMade }: { onMade: (device: { name: string; url: string }) => void }) {
  const { busy, field, submit, reset } = useActionForm(schema, { name: "", hours: "" });
  const save = submit(
    async ({ name, hours }) => {
      const { url } = await addDevice(name, hours ? new Date(serverNow() + Number(hours) * hour).toISOString() : undefined);
      reset();
      onMade({ name, url });
    },
    ({ name }) => ({ title: "Phone Added", message: `Scan the code with ${name}.` }),
    "The phone could not be added. Please try again.",
  );
  return (
    <form className="door-new" onSubmit={save} noValidate>
      <TextField label="Name of the phone" hint="Such as “Main entrance, Ana”" maxLength={60} {...field("name")} />
      <Select label="It stops" options={ends} {...field("hours")} />
      <Button type="submit" look="outline" busy={busy} busyLabel="Adding…">Add a phone</Button>
    </form>
  );
}

function FiguresPart() {
  const read = useFigures();
  return (
    <Part title="Who came">
      <Loaded of={read} loading="Counting…" failed="The figures could not be loaded." keepsData>
        {(figures) => (
          <>
            <ByRole lists={figures.lists} />
            {figures.lists.filter(({ byQuarter }) => byQuarter.length > 0).map((list) => <ByQuarter key={list.key} list={list} />)}
            <Twice figures={figures} />
            <Attendance />
          </>
        )}
      </Loaded>
    </Part>
  );
}

function ByRole({ lists }: { lists: ListFigures[] }) {
  const known = (Object.keys(roles) as Role[]).filter((role) => lists.some(({ byRole }) => byRole[role]));
  const rows = [...known.map((role) => ({ label: roles[role], of: ({ byRole }: ListFigures) => byRole[role] })), { label: "Everybody", of: (list: ListFigures) => list }];
  return (
    <Table
      caption="In and expected, by role" figures rows={rows} rowKey={({ label }) => label}
      columns={[
        { name: "role", label: "Role", cell: ({ label }) => label },
        ...lists.map((list) => ({
          name: list.key, label: list.label,
          cell: ({ of }: (typeof rows)[number]) => {
            const { in: came, expected } = of(list) ?? { in: 0, expected: 0 };
            return <span className="door-count">{formatCount(came)} <span className="soft">of {formatCount(expected)}</span></span>;
          },
        })),
      ]}
    />
  );
}

/** A bar for each quarter of an hour; the policy forbids inline styles, so an SVG draws its length. */
function ByQuarter({ list: { key, label, byQuarter } }: { list: ListFigures }) {
  const clock = useEventClock();
  const most = Math.max(...byQuarter.map((quarter) => quarter.in));
  return (
    <div className="door-quarters">
      <h3>{label} by quarter of an hour</h3>
      <Table
        caption={`${label}: who came in each quarter of an hour`} figures headless rows={byQuarter} rowKey={({ from }) => `${key} ${from}`}
        columns={[
          { name: "from", label: "From", cell: ({ from }) => clock.short(from) },
          { name: "in", label: "In", cell: (quarter) => <span className="door-bar">{quarter.in}<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width={(quarter.in / most) * 100} height="4" /></svg></span> },
        ]}
      />
    </div>
  );
}

/** Everybody with the time at which they came, and those who did not. */
function Attendance() {
  const { busy, act } = useAction();
  const save = (format: ListFormat) => act(
    () => downloadList("attendance", format),
    { title: "Downloaded", message: "Everybody with a ticket, and when they came." },
    "The list could not be downloaded. Please try again.",
  );
  return (
    <div className="card-buttons">
      <Button look="text" busy={busy} onClick={() => save("csv")}>Who came, as CSV</Button>
      <Button look="text" busy={busy} onClick={() => save("xlsx")}>Who came, as Excel</Button>
      <Link className="text-button" href={`${sectionPath("mailings")}?new=1&attendance=came`}>Write to those who came</Link>
      <Link className="text-button" href={`${sectionPath("mailings")}?new=1&attendance=absent`}>Write to those who did not</Link>
    </div>
  );
}

function Twice({ figures: { twice, lists } }: { figures: Figures }) {
  if (twice.length === 0) return null;
  const labelOf = (wanted: string) => lists.find(({ key }) => key === wanted)?.label ?? wanted;
  return (
    <div className="door-twice">
      <h3>Scanned more than once</h3>
      <p className="soft">Somebody may have gone out and come back, or two people came with one ticket.</p>
      <ul>{twice.map(({ ticketId, name, list, scans }) => <li key={`${ticketId} ${list}`}><AddressLink to={{ id: ticketId }} focusTitle>{name || `Ticket ${ticketId}`}</AddressLink>, {labelOf(list)}: {scans} times</li>)}</ul>
    </div>
  );
}

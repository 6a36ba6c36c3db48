// Every component of the kit in each of its states, from the same code as the pages: `npm --prefix ui run kit`.
import { useId, useState, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { Button, buttonClass, type ButtonLook } from "../src/kit/button";
import { CarouselControls } from "../src/kit/carousel-controls";
import { Checkbox, Radio, Switch } from "../src/kit/checkbox";
import { Dialog } from "../src/kit/dialog";
import { Disclosure } from "../src/kit/disclosure";
import { LongTextField, TextField } from "../src/kit/field";
import { Loaded } from "../src/kit/loaded";
import { optionsOf, Select } from "../src/kit/select";
import { Table, type Column } from "../src/kit/table";
import "../src/kit/toast";
import { toast, toastArea } from "../src/kit/toast-store";
import { Tooltip } from "../src/kit/tooltip";
import { ApiError } from "../src/lib/api-error";

const Toasts = toastArea()!;

function Sheet() {
  return (
    <>
      <main className="sheet">
        <h1>The kit</h1>
        <p className="lead">Each component in each of its states: as on the public pages, and denser as on the organiser&rsquo;s pages.</p>
        <Both title="Button"><Buttons /></Both>
        <Both title="Field"><Fields /></Both>
        <Both title="Select"><Selects /></Both>
        <Both title="Checkbox"><Checkbox label="Off" /><Checkbox label="On" defaultChecked /></Both>
        <Both title="Radio"><Radio name="sheet" label="Off" /><Radio name="sheet" label="On" defaultChecked /></Both>
        <Dense title="Switch"><Switch label="Off" /><Switch label="On" defaultChecked /></Dense>
        <Dense title="Table"><Tables /></Dense>
        <Dense title="Loaded"><Reads /></Dense>
        <Dense title="Disclosure">
          <Disclosure summary="Closed">What was hidden.</Disclosure>
          <Disclosure summary="Open" open>What was hidden.</Disclosure>
        </Dense>
        <Part title="Dialog"><Dialogs /></Part>
        <Part title="Toast"><ToastButtons /></Part>
        <Part title="Tooltip">
          <p className="sheet-tooltip"><Tooltip text="A short text beside the control">{(described) => <Button look="outline" {...described}>With a tooltip</Button>}</Tooltip></p>
        </Part>
        <Part title="Carousel">
          <Controls title="Three slides" slides={["First", "Second", "Third"]} />
          <div className="dark sheet-dark"><Controls title="On a dark ground" slides={["First", "Second"]} /></div>
        </Part>
      </main>
      <Toasts />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return <section className="sheet-part" aria-labelledby={id}><h2 id={id}>{title}</h2>{children}</section>;
}

function Dense({ title, children }: { title: string; children: ReactNode }) {
  return <Part title={title}><div className="admin"><div className="sheet-dense">{children}</div></div></Part>;
}

function Both({ title, children }: { title: string; children: ReactNode }) {
  return <Part title={title}><div className="sheet-both"><div>{children}</div><div className="admin"><div className="sheet-dense">{children}</div></div></div></Part>;
}

const looks: ButtonLook[] = ["primary", "outline", "plain", "text"];

function Buttons() {
  return (
    <>
      {looks.map((look) => (
        <p key={look} className="buttons">
          <Button look={look}>{look}</Button>
          <Button look={look} busy busyLabel="Saving…">Save</Button>
          <Button look={look} inactive>Inactive</Button>
        </p>
      ))}
      <p className="buttons">
        <Button look="text" aria-pressed>Pressed</Button>
        <a href="#kit" className={buttonClass("outline")}>A link</a>
        <a href="#kit" className={buttonClass("primary", "is-closed")}><span>A closed form</span><span className="button-note">Closed</span></a>
      </p>
    </>
  );
}

function Fields() {
  return (
    <>
      <TextField label="Plain" defaultValue="Ada Sample" />
      <TextField label="With a note and a hint" note="(optional)" hint="At least 10 characters" />
      <TextField label="Wrong" error="Please enter an amount up to $484.92." defaultValue="500" />
      <TextField label="Disabled" disabled defaultValue="Cannot be changed" />
      <LongTextField label="A long text" rows={2} defaultValue={"Two lines\nof it"} />
      <LongTextField label="A wrong long text" rows={2} hint="For organisers only" error="Please say why." />
    </>
  );
}

const states = optionsOf({ new: "New", accepted: "Accepted", declined: "Declined" });

function Selects() {
  return (
    <>
      <Select label="Plain" options={states} />
      <Select label="In groups" options={[{ value: "", label: "All" }, { label: "Review", options: states }]} />
      <Select label="Wrong" options={states} error="Please choose another status." />
    </>
  );
}

interface Person {
  id: number;
  name: string;
  amount: string;
}

const people: Person[] = [{ id: 1, name: "Ada Sample", amount: "$449.00" }, { id: 2, name: "Bea Example", amount: "$548.00" }];
const columns: Column<Person>[] = [
  { name: "name", label: "Name", sorted: "ascending", cell: ({ name }) => name },
  { name: "number", label: "Number (wide only)", from: "wide", cell: ({ id }) => id },
  { name: "amount", label: "Amount", cell: ({ amount }) => amount },
  { name: "remove", label: "Remove", hideLabel: true, cell: ({ name }) => <Button look="text">Remove<span className="hidden-text"> {name}</span></Button> },
];
const table = { columns, rows: people, rowKey: ({ id }: Person) => id };

function Tables() {
  return (
    <>
      <h3>Plain, with figures</h3>
      <Table caption="People" figures {...table} />
      <h3>While other rows are loading</h3>
      <Table caption="People, loading" stale {...table} />
      <h3>Without heads</h3>
      <Table caption="People, without heads" headless isNew={({ id }) => id === 1} {...table} />
    </>
  );
}

const busy = new ApiError(503, "", JSON.stringify({ detail: "The database is busy." }));

function Reads() {
  const [tries, setTries] = useState(0);
  const read = (data?: string[], error?: unknown) => ({ data, error, mutate: () => setTries(tries + 1) });
  const loaded = (of: ReturnType<typeof read>, keepsData = false) => (
    <Loaded of={of} loading="Loading the people…" failed="The people could not be loaded." isEmpty={(names) => names.length === 0} empty={<p>Nobody has registered yet.</p>} keepsData={keepsData}>
      {(names) => <p>{names.join(", ")}</p>}
    </Loaded>
  );
  return (
    <>
      <h3>Loading</h3>{loaded(read())}
      <h3>Failed, tried again {tries} times</h3>{loaded(read(undefined, busy))}
      <h3>Failed, with what was loaded before</h3>{loaded(read(["Ada Sample"], new ApiError(500, "", "")), true)}
      <h3>Empty</h3>{loaded(read([]))}
      <h3>Loaded</h3>{loaded(read(["Ada Sample", "Bea Example"]))}
    </>
  );
}

function Dialogs() {
  const [shown, setShown] = useState<"large" | "small">();
  return (
    <p className="buttons">
      <Button look="outline" aria-haspopup="dialog" onClick={() => setShown("large")}>Open a dialog</Button>
      <Button look="outline" aria-haspopup="dialog" onClick={() => setShown("small")}>Open a small dialog</Button>
      {shown && (
        <Dialog title={shown === "small" ? "Remove this account?" : "Terms and conditions"} eyebrow="Dialog" small={shown === "small"} closeLabel="Cancel" actions={<Button onClick={() => setShown(undefined)}>Agree</Button>} onClose={() => setShown(undefined)}>
          <p>The browser keeps the focus in the dialog, and gives it back to what opened it.</p>
        </Dialog>
      )}
    </p>
  );
}

function ToastButtons() {
  return (
    <p className="buttons">
      <Button look="outline" onClick={() => toast({ title: "Saved", message: "The note is saved." })}>Show a notification</Button>
      <Button look="outline" onClick={() => toast({ title: "Error", message: "The note could not be saved. Please try again.", tone: "destructive" })}>Show a failure</Button>
    </p>
  );
}

function Controls({ title, slides }: { title: string; slides: string[] }) {
  const id = useId();
  return (
    <div className="carousel-area">
      <h3 id={`${id}-title`}>{title}</h3>
      <div id={id} className="track" role="group" aria-labelledby={`${id}-title`} tabIndex={0}>
        {slides.map((slide, at) => <p key={at} style={{ flex: "0 0 100%" }}>{slide}</p>)}
      </div>
      <CarouselControls track={id} labelledBy={`${id}-title`} titles={slides} interval={4000} />
    </div>
  );
}

createRoot(document.getElementById("app")!).render(<Sheet />);

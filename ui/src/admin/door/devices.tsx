import { useState } from "react";
import { nonEmpty, object, pipe, string, trim } from "valibot";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { TextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import { CopyLink } from "../../kit/copy-link";
import { QrCode } from "../../kit/qr-code";
import { Select } from "../../kit/select";
import { Table } from "../../kit/table";
import { serverNow } from "../../lib/server-clock";
import { Instant } from "../shell/instant";
import { useAction } from "../shell/use-action";
import { showAtFields, useValidForm } from "../shell/use-valid-form";
import { addDevice, endDevice, useDevices, type Device } from "./api";

/** In milliseconds. */
const hour = 3_600_000;

const schema = object({ name: pipe(string(), trim(), nonEmpty("Please give it a name")), hours: string() });

/** In hours from now; the empty one is the server's own end. */
const ends = [{ value: "", label: "When the event is over" }, { value: "12", label: "In 12 hours" }, { value: "24", label: "In 24 hours" }];

/** Volunteers' phones. */
export function Devices() {
  const read = useDevices();
  const [made, setMade] = useState<{ name: string; url: string }>();
  const [ending, setEnding] = useState<number>();
  const { busy, act } = useAction();
  const end = ({ id, name }: Device) => act(
    async () => {
      await endDevice(id);
      setEnding(undefined);
      await read.mutate();
    },
    { title: "Phone Ended", message: `${name} stops at its next contact. Scans that it still has are taken for a day.` },
    "The phone could not be ended. Please try again.",
  );
  return (
    <section className="admin-part" aria-labelledby="devices-title">
      <h2 id="devices-title">Phones at the door</h2>
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
    </section>
  );
}

function NewDevice({ onMade }: { onMade: (device: { name: string; url: string }) => void }) {
  const form = useValidForm(schema, { name: "", hours: "" });
  const { register, formState: { errors } } = form;
  const { busy, act } = useAction();
  const save = form.handleSubmit(({ name, hours }) => act(
    async () => {
      const { url } = await addDevice(name, hours ? new Date(serverNow() + Number(hours) * hour).toISOString() : undefined);
      form.reset();
      onMade({ name, url });
    },
    { title: "Phone Added", message: `Scan the code with ${name}.` },
    "The phone could not be added. Please try again.",
    (error) => showAtFields(form, error),
  ));
  return (
    <form className="door-new" onSubmit={save} noValidate>
      <TextField label="Name of the phone" hint="Such as “Main entrance, Ana”" maxLength={60} error={errors.name?.message} {...register("name")} />
      <Select label="It stops" options={ends} {...register("hours")} />
      <Button type="submit" look="outline" busy={busy} busyLabel="Adding…">Add a phone</Button>
    </form>
  );
}

import { Link } from "wouter";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { downloadList, type ListFormat } from "../lists/api";
import { AddressLink } from "../shell/address-link";
import { useEventClock } from "../shell/admin-context";
import { formatCount } from "../shell/numbers";
import { sectionPath } from "../shell/sections";
import { useAction } from "../shell/use-action";
import { roles, useFigures, type Figures, type ListFigures, type Role } from "./api";

export function FiguresPart() {
  const read = useFigures();
  return (
    <section className="admin-part" aria-labelledby="figures-title">
      <h2 id="figures-title">Who came</h2>
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
    </section>
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
      <Link className="text-button" href={sectionPath("mailings")}>Write to those who came or did not</Link>
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
      <ul>{twice.map(({ ticketId, name, list, scans }) => <li key={`${ticketId} ${list}`}><AddressLink to={{ id: ticketId }} arrives>{name || `Ticket ${ticketId}`}</AddressLink>, {labelOf(list)}: {scans} times</li>)}</ul>
    </div>
  );
}

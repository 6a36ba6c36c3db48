import { Disclosure } from "../../kit/disclosure";
import { Table } from "../../kit/table";
import { kinds } from "../../lib/page";
import { dollars, shortDollars } from "../../lib/money";
import { DayPlot } from "./day-plot";
import { dayName } from "../shell/event-time";
import { FoldedPart } from "../shell/folded-part";
import { kindLabels } from "../shell/kinds";
import { formatCount } from "../shell/numbers";
import type { DayTally } from "./api";

/** Registrations and revenue by day: one stroke a day, whose length is the day's figure. A table below has the same figures. */
export function ByDay({ days }: { days: DayTally[] }) {
  const first = dayName(days[0]?.day ?? "");
  const last = dayName(days.at(-1)?.day ?? "");
  const totals = days.map(({ total }) => total);
  const revenues = days.map(({ revenue }) => Math.max(0, revenue));
  const busiest = days[totals.indexOf(Math.max(...totals))];
  const richest = days[revenues.indexOf(Math.max(...revenues))];
  const count = sum(totals);
  const countText = count === 0
    ? `No registrations from ${first} to ${last}.`
    : `${formatCount(count)} from ${first} to ${last}, most on ${dayName(busiest?.day ?? "")} (${formatCount(busiest?.total ?? 0)}).`;
  const revenue = sum(days.map((day) => day.revenue));
  const revenueText = revenue === 0
    ? `No card payments from ${first} to ${last}.`
    : `${dollars(revenue)} from ${first} to ${last}, most on ${dayName(richest?.day ?? "")} (${dollars(richest?.revenue ?? 0)}).`;
  const titles = (text: (day: DayTally) => string) => days.map((day) => `${dayName(day.day)}: ${text(day)}`);
  return (
    <FoldedPart title="By day" className="by-day">
      <div className="plots">
        <div>
          <h3>Registrations</h3>
          <p className="soft figures">{countText}</p>
          <DayPlot label={`Registrations by day. ${countText}`} values={totals} titles={titles(({ total }) => formatCount(total))} mark={formatCount} days={days.map(({ day }) => day)} />
        </div>
        <div>
          <h3>Revenue</h3>
          <p className="soft figures">{revenueText}</p>
          <DayPlot label={`Revenue by day. ${revenueText}`} values={revenues} titles={titles((day) => dollars(day.revenue))} mark={(cents) => shortDollars(cents)} days={days.map(({ day }) => day)} low />
        </div>
      </div>
      <DayTable days={days} />
    </FoldedPart>
  );
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function Count({ count }: { count: number }) {
  return count === 0 ? <span className="soft">0</span> : formatCount(count);
}

function DayTable({ days }: { days: DayTally[] }) {
  return (
    <Disclosure summary="Read as a table">
      {/* tabIndex, so that a wide table can be scrolled by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="scroller" role="region" aria-label="Registrations by day, as a table" tabIndex={0}>
        <Table
          caption="Registrations by day" figures rows={[...days].reverse()} rowKey={({ day }) => day}
          columns={[
            { name: "day", label: "Day", cell: ({ day }) => dayName(day) },
            { name: "total", label: "All", cell: ({ total }) => formatCount(total) },
            ...kinds.map((kind) => ({ name: kind, label: kindLabels[kind].short, cell: ({ registrations }: DayTally) => <Count count={registrations[kindLabels[kind].summaryKey] ?? 0} /> })),
            { name: "revenue", label: "Revenue", cell: ({ revenue }) => revenue === 0 ? <span className="soft">$0.00</span> : dollars(revenue) },
          ]}
        />
      </div>
    </Disclosure>
  );
}

import { kinds } from "../../lib/page";
import { dollars, roundDollars } from "../../lib/money";
import { DayPlot } from "./day-plot";
import { dayName } from "../shell/event-time";
import { kindWords } from "../shell/kinds";
import { grouped } from "../shell/summary";
import type { DayTally } from "./tallies";

/** Registrations and revenue by day: a stroke a day, as long as the day was busy. The same as a table below. */
export function ByDay({ days }: { days: DayTally[] }) {
  const first = dayName(days[0]?.day ?? "");
  const last = dayName(days.at(-1)?.day ?? "");
  const totals = days.map(({ total }) => total);
  const revenues = days.map(({ revenue }) => Math.max(0, revenue));
  const busiest = days[totals.indexOf(Math.max(...totals))];
  const richest = days[revenues.indexOf(Math.max(...revenues))];
  const count = sum(totals);
  const says = count === 0
    ? `No registrations from ${first} to ${last}.`
    : `${grouped(count)} from ${first} to ${last}, most on ${dayName(busiest?.day ?? "")} (${grouped(busiest?.total ?? 0)}).`;
  const revenue = sum(days.map((day) => day.revenue));
  const saysRevenue = revenue === 0
    ? `No card payments from ${first} to ${last}.`
    : `${dollars(revenue)} from ${first} to ${last}, most on ${dayName(richest?.day ?? "")} (${dollars(richest?.revenue ?? 0)}).`;
  const titled = (words: (day: DayTally) => string) => days.map((day) => `${dayName(day.day)}: ${words(day)}`);
  return (
    <section className="by-day" aria-labelledby="by-day-title">
      <h2 id="by-day-title">By day</h2>
      <div className="plots">
        <div>
          <h3>Registrations</h3>
          <p className="soft figures">{says}</p>
          <DayPlot label={`Registrations by day. ${says}`} values={totals} titles={titled(({ total }) => grouped(total))} mark={grouped} days={days.map(({ day }) => day)} />
        </div>
        <div>
          <h3>Revenue</h3>
          <p className="soft figures">{saysRevenue}</p>
          <DayPlot label={`Revenue by day. ${saysRevenue}`} values={revenues} titles={titled((day) => dollars(day.revenue))} mark={(cents) => roundDollars(cents)} days={days.map(({ day }) => day)} low />
        </div>
      </div>
      <DayTable days={days} />
    </section>
  );
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function Count({ count }: { count: number }) {
  return count === 0 ? <span className="soft">0</span> : grouped(count);
}

function DayTable({ days }: { days: DayTally[] }) {
  return (
    <details className="as-table">
      <summary>Read as a table</summary>
      {/* A wide table is scrolled by keyboard, too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="scroller" role="region" aria-label="Registrations by day, as a table" tabIndex={0}>
        <table className="admin-table figures">
          <thead>
            <tr><th scope="col">Day</th><th scope="col">All</th>{kinds.map((kind) => <th key={kind} scope="col">{kindWords[kind].short}</th>)}<th scope="col">Revenue</th></tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ day, total, registrations, revenue }) => (
              <tr key={day}>
                <th scope="row">{dayName(day)}</th>
                <td>{grouped(total)}</td>
                {kinds.map((kind) => <td key={kind}><Count count={registrations[kindWords[kind].summaryKey] ?? 0} /></td>)}
                <td>{revenue === 0 ? <span className="soft">$0.00</span> : dollars(revenue)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

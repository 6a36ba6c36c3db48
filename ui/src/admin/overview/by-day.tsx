import { Disclosure } from "../../kit/disclosure";
import { Table } from "../../kit/table";
import type { DailyCount } from "../../lib/answer-types";
import { kinds } from "../../lib/page";
import { dollars, shortDollars } from "../../lib/money";
import { strokePath } from "../../brand/stroke";
import { dayName } from "../shell/event-time";
import { FoldedPart } from "../shell/parts";
import { kindLabels } from "../shell/kinds";
import { formatCount } from "../shell/numbers";

/** Registrations and revenue by day: one stroke a day, whose length is the day's figure. A table below has the same figures. */
export function ByDay({ days }: { days: DailyCount[] }) {
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
  const titles = (text: (day: DailyCount) => string) => days.map((day) => `${dayName(day.day)}: ${text(day)}`);
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

function DayTable({ days }: { days: DailyCount[] }) {
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
            ...kinds.map((kind) => ({ name: kind, label: kindLabels[kind].short, cell: ({ registrations }: DailyCount) => <Count count={registrations[kindLabels[kind].summaryKey] ?? 0} /> })),
            { name: "revenue", label: "Revenue", cell: ({ revenue }) => revenue === 0 ? <span className="soft">$0.00</span> : dollars(revenue) },
          ]}
        />
      </div>
    </Disclosure>
  );
}

const height = 100;
const step = 10;
/** A full window; fewer days get strokes that are no thicker. */
const window = 28;

interface Props {
  /** What the plot says, in a sentence. */
  label: string;
  days: string[];
  values: number[];
  titles: string[];
  /** A value as the scale shows it. */
  mark: (value: number) => string;
  low?: boolean;
}

/** A tapered stroke a day. */
function DayPlot({ label, days, values, titles, mark, low = false }: Props) {
  const most = Math.max(...values);
  const top = niceTop(most);
  // Nothing has no scale.
  const isEmpty = most === 0;
  const middle = days[Math.floor(days.length / 2)] ?? "";
  return (
    <div className={low ? "plot plot-low" : "plot"}>
      {isEmpty || <span className="plot-mark figures" aria-hidden="true">{mark(top)}</span>}
      {isEmpty || <span className="plot-mark plot-half figures" aria-hidden="true">{mark(top / 2)}</span>}
      <svg viewBox={`0 0 ${days.length * step} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {isEmpty || <path className="plot-line" d={`M0 .5H${days.length * step}M0 ${height / 2}H${days.length * step}`} />}
        {values.map((value, index) => (
          <g key={days[index]} className="plot-day">
            <rect x={index * step} y={0} width={step} height={height}><title>{titles[index]}</title></rect>
            {value > 0 && <path d={strokeOf(index, (value / top) * height, days.length)} />}
          </g>
        ))}
      </svg>
      <div className="plot-days figures" aria-hidden="true"><span>{dayName(days[0] ?? "")}</span><span>{dayName(middle)}</span><span>{dayName(days.at(-1) ?? "")}</span></div>
    </div>
  );
}

function strokeOf(index: number, length: number, days: number): string {
  const width = step * 0.62 * Math.min(1, days / window);
  return strokePath([{ root: { x: (index + 0.5) * step, y: height }, angle: -90, length, width, bend: 0 }]);
}

/** The top of the scale: the next round number whose half, the middle mark, is a whole number too. */
export function niceTop(most: number): number {
  const scale = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const steps = scale === 1 ? [2, 4, 6, 8, 10] : [1, 2, 4, 6, 8, 10];
  return (steps.find((part) => part * scale >= most) ?? 10) * scale;
}

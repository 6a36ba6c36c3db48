import { kinds } from "../api/page";
import { strokePath } from "../parts/stroke";
import { dayName } from "./event-time";
import { kindWords } from "./kinds";
import { windowDays, type DayCount } from "./recent";

const height = 100;
const step = 10;

/** Registrations by day: a stroke a day, as long as the day was busy. The same as a table below it. */
export function ByDay({ days }: { days: DayCount[] }) {
  const total = days.reduce((sum, { total: count }) => sum + count, 0);
  const most = Math.max(...days.map(({ total: count }) => count));
  const top = niceTop(most);
  const first = dayName(days[0]?.day ?? "");
  const last = dayName(days.at(-1)?.day ?? "");
  const busiest = days.find((day) => day.total === most);
  const says = total === 0
    ? `No registrations from ${first} to ${last}.`
    : `${total} from ${first} to ${last}, most on ${dayName(busiest?.day ?? "")} (${most}).`;
  return (
    <section className="by-day" aria-labelledby="by-day-title">
      <h2 id="by-day-title">By day</h2>
      <p className="soft figures">{says}{days.length < windowDays && " Earlier days are too full to be read here; the exports have them."}</p>
      <div className="plot">
        <span className="plot-mark figures" aria-hidden="true">{top}</span>
        <span className="plot-mark plot-half figures" aria-hidden="true">{top / 2}</span>
        <svg viewBox={`0 0 ${days.length * step} ${height}`} preserveAspectRatio="none" role="img" aria-label={`Registrations by day. ${says}`}>
          <path className="plot-line" d={`M0 .5H${days.length * step}M0 ${height / 2}H${days.length * step}`} />
          {days.map(({ day, total: count }, index) => (
            <g key={day} className="plot-day">
              <rect x={index * step} y={0} width={step} height={height}><title>{`${dayName(day)}: ${count}`}</title></rect>
              {count > 0 && <path d={strokeOf(index, (count / top) * height, days.length)} />}
            </g>
          ))}
        </svg>
        <div className="plot-days figures" aria-hidden="true"><span>{first}</span><span>{dayName(days[Math.floor(days.length / 2)]?.day ?? "")}</span><span>{last}</span></div>
      </div>
      <DayTable days={days} />
    </section>
  );
}

/** As thick as in a full window, however few days there are. */
function strokeOf(index: number, length: number, days: number): string {
  const width = step * 0.62 * Math.min(1, days / windowDays);
  return strokePath([{ root: { x: (index + 0.5) * step, y: height }, angle: -90, length, width, bend: 0 }]);
}

/** The next number above that halves well. */
export function niceTop(most: number): number {
  const scale = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const steps = scale === 1 ? [2, 4, 6, 8, 10] : [1, 2, 4, 6, 8, 10];
  return (steps.find((part) => part * scale >= most) ?? 10) * scale;
}

function DayTable({ days }: { days: DayCount[] }) {
  return (
    <details className="as-table">
      <summary>Read as a table</summary>
      {/* A wide table is scrolled by keyboard, too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="scroller" role="region" aria-label="Registrations by day, as a table" tabIndex={0}>
        <table className="desk-table figures">
          <thead>
            <tr><th scope="col">Day</th><th scope="col">All</th>{kinds.map((kind) => <th key={kind} scope="col">{kindWords[kind].short}</th>)}</tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ day, total, byKind }) => (
              <tr key={day}>
                <th scope="row">{dayName(day)}</th>
                <td>{total}</td>
                {kinds.map((kind) => <td key={kind}>{byKind[kind] ?? <span className="soft">0</span>}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

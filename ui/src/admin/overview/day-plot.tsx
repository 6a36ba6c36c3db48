import { strokePath } from "../../brand/stroke";
import { dayName } from "../shell/event-time";

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
export function DayPlot({ label, days, values, titles, mark, low = false }: Props) {
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

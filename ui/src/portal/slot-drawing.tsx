import { brow, fan, ribbonPath, strokePath, type Curve } from "../brand/stroke";

type Drawing = "eyes-open" | "eyes-closed" | "eye" | "profile" | "rods" | "brows" | "brow-left" | "brow-right" | "face" | "face-left" | "face-right" | "face-closed" | "paper" | "any";

const drawings: Record<string, Drawing> = {
  "lash-extensions/open_front": "eyes-open", "lash-extensions/closed_above": "eyes-closed", "lash-extensions/left": "face-left", "lash-extensions/right": "face-right", "lash-extensions/close_up": "eye",
  "lash-lift/before": "eyes-open", "lash-lift/after_front": "eyes-open", "lash-lift/after_side": "profile", "lash-lift/close_up": "eye", "lash-lift/rods": "rods",
  "brows/before": "brows", "brows/after_front": "brows", "brows/left": "brow-left", "brows/right": "brow-right",
  "makeup/front": "face", "makeup/left_45": "face-left", "makeup/right_45": "face-right", "makeup/eyes_closed": "face-closed", "makeup/before": "face",
};

/** The angle of a photo that is asked for; for a slot that is not of the default content, the corners of a picture. */
export function SlotDrawing({ category, name }: { category: string; name: string }) {
  const drawing = drawings[`${category}/${name}`] ?? (name === "release" ? "paper" : "any");
  return (
    <svg className="slot-drawing" viewBox="0 0 160 120" aria-hidden="true" focusable="false">
      {drawn[drawing]().map(({ d, line }, index) => <path key={index} d={d} className={line ? "line" : undefined} />)}
    </svg>
  );
}

export function hasDrawing(category: string, name: string): boolean {
  return `${category}/${name}` in drawings;
}

interface Part {
  d: string;
  /** A line, instead of a filled stroke. */
  line?: boolean;
}

const drawn: Record<Drawing, () => Part[]> = {
  "eyes-open": () => [...openEye(44, 66, 46), ...openEye(116, 66, 46)],
  "eyes-closed": () => [...closedEye(44, 54, 50), ...closedEye(116, 54, 50)],
  "eye": () => closedEye(80, 46, 116),
  "profile": () => [
    { d: "M118 14q-22 6-26 22t-18 26q-8 9 2 12t6 12-4 12", line: true },
    { d: ribbonPath([{ x: 96, y: 54 }, { x: 108, y: 48 }, { x: 124, y: 50 }], 2) + strokePath(lashes([{ x: 92, y: 60 }, { x: 96, y: 54 }, { x: 108, y: 50 }], 7, 24, 180)) },
  ],
  "rods": () => [
    { d: "M24 56q56-34 112 0v14q-56-34-112 0z", line: true },
    { d: ribbonPath([{ x: 22, y: 80 }, { x: 80, y: 52 }, { x: 138, y: 80 }], 2) + strokePath(lashes([{ x: 22, y: 80 }, { x: 80, y: 52 }, { x: 138, y: 80 }], 15, 26, 180)) },
  ],
  "brows": () => [{ d: browOf(8, 1) + browOf(152, -1) }, ...openEye(44, 84, 40), ...openEye(116, 84, 40)],
  "brow-left": () => [{ d: largeBrow(1) }],
  "brow-right": () => [{ d: largeBrow(-1) }],
  "face": () => face(0, openEye),
  "face-left": () => face(-1, openEye),
  "face-right": () => face(1, openEye),
  "face-closed": () => face(0, closedEye),
  "paper": () => [
    { d: "M50 10h60v100h-60zM60 26h40M60 36h40M60 46h40M60 56h26M60 92h40", line: true },
    { d: ribbonPath([{ x: 62, y: 88 }, { x: 72, y: 64 }, { x: 78, y: 88 }], 2) + ribbonPath([{ x: 78, y: 88 }, { x: 88, y: 74 }, { x: 98, y: 84 }], 2) },
  ],
  "any": () => [{ d: "M20 38v-18h18M122 20h18v18M140 82v18h-18M38 100h-18v-18", line: true }],
};

function lashes(lid: Curve, count: number, length: number, turn = 0) {
  return fan(lid, { count, seed: 4, length, width: Math.max(1.4, length / 14), spread: turn === 180 ? -22 : 20, bend: turn === 180 ? -0.25 : 0.2, jitter: 0.3, turn, from: 0.04, to: 0.96 });
}

function closedEye(x: number, y: number, width: number): Part[] {
  const half = width / 2;
  const lid: Curve = [{ x: x - half, y }, { x, y: y + width * 0.34 }, { x: x + half, y }];
  return [{ d: ribbonPath(lid, 1.6) + strokePath(lashes(lid, Math.round(width / 6) + 5, width * 0.3)) }];
}

function openEye(x: number, y: number, width: number): Part[] {
  const half = width / 2;
  const lid: Curve = [{ x: x - half, y }, { x, y: y - width * 0.46 }, { x: x + half, y }];
  const iris = width * 0.15;
  return [
    { d: `M${x - half} ${y}q${half} ${width * 0.36} ${width} 0M${x - iris} ${y - 1}a${iris} ${iris} 0 1 0 ${2 * iris} 0a${iris} ${iris} 0 1 0 ${-2 * iris} 0`, line: true },
    { d: ribbonPath(lid, 1.6) + strokePath(lashes(lid, 11, width * 0.26, 180)) },
  ];
}

function browOf(x: number, side: 1 | -1): string {
  const edge: Curve = [{ x: x + 52 * side, y: 52 }, { x: x + 22 * side, y: 30 }, { x, y: 50 }];
  return strokePath(brow(side === 1 ? [edge[2], edge[1], edge[0]] : edge, { count: 34, seed: 8, length: 15, width: 1.4, body: 6, combed: 0.6 }));
}

function largeBrow(side: 1 | -1): string {
  const mirrored = (x: number) => (side === 1 ? x : 160 - x);
  const edge: Curve = [{ x: mirrored(16), y: 78 }, { x: mirrored(92), y: 24 }, { x: mirrored(146), y: 68 }];
  return strokePath(brow(edge, { count: 74, seed: 9, length: 30, width: 1.8, body: 14, combed: 0.7 }));
}

/** A face, from the front or turned to one side. */
function face(turn: -1 | 0 | 1, eye: (x: number, y: number, width: number) => Part[]): Part[] {
  const shift = turn * 9;
  const near = turn === 0 ? 20 : 22;
  const far = turn === 0 ? 20 : 13;
  const [left, right] = turn < 0 ? [far, near] : [near, far];
  const nose = turn === 0 ? "M80 56q-3 12-5 17q5 4 10 0" : `M${80 + shift} 54q${turn * 9} 14 ${turn * 8} 18q${-turn * 3} 4 ${-turn * 8} 2`;
  return [
    { d: "M80 10c28 0 38 22 36 48c-2 28-18 52-36 52s-34-24-36-52c-2-26 8-48 36-48z", line: true },
    { d: `${nose}M${70 + shift} 88q10 7 20 0q-5-6-10-3q-5-3-10 3z`, line: true },
    ...eye(62 + shift, 52, left),
    ...eye(98 + shift, 52, right),
  ];
}

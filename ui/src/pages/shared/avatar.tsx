import { useId } from "react";
import type { Image } from "../../lib/content-types";
import { bundle } from "../../brand/marks";
import { brow, fan, ribbonPath, strokePath, type Curve, type Stroke } from "../../brand/stroke";

interface AvatarProps {
  image: Image;
  name: string;
  /** Gives each drawn face its own brows, lashes and lids. */
  seed: number;
}

/** Left end, control and right end of a curve, from the inner corner of the right eye outwards. */
type Shape = readonly [number, number, number];

const arches: readonly { edge: Shape; length: number; body: number; combed: number; count: number }[] = [
  { edge: [106, 62, 102], length: 19, body: 9, combed: 0, count: 44 },
  { edge: [96, 78, 92], length: 22, body: 13, combed: 0.85, count: 40 },
  { edge: [112, 42, 108], length: 15, body: 5, combed: 0, count: 46 },
  { edge: [98, 70, 112], length: 26, body: 15, combed: 0.3, count: 50 },
  { edge: [102, 84, 84], length: 17, body: 7, combed: 0.15, count: 44 },
];
const lids: readonly Shape[] = [[136, 166, 132], [138, 182, 138], [142, 158, 122], [132, 172, 144]];
const lashes: readonly ((lid: Curve, seed: number) => Stroke[])[] = [
  (lid, seed) => fan(lid, { count: 13, seed, length: 26, width: 2.4, spread: 22, jitter: 0.6 }),
  (lid, seed) => [0.08, 0.24, 0.4, 0.56, 0.72, 0.88].flatMap((t, index) => bundle(lid, t, seed + index).map((lash) => ({ ...lash, length: lash.length * 0.52, width: 1.5 }))),
  (lid, seed) => fan(lid, { count: 19, seed, length: 36, width: 1.9, spread: 30, peak: 0.85, falloff: 0.75, jitter: 0.5 }),
  (lid, seed) => fan(lid, { count: 9, seed, length: 20, width: 3, spread: 14, falloff: 0.3, jitter: 0.3 }),
];

/** A person's picture, or a drawn one: two closed eyes and their brows. */
export function Avatar({ image, name, seed }: AvatarProps) {
  const id = useId();
  if (image) return <img className="avatar picture" loading="lazy" sizes="(min-width: 48rem) 25vw, 100vw" {...image} alt={name} decoding="async" />;
  return (
    <svg className={`avatar avatar-${seed % 4}`} viewBox="0 0 300 250" role="img" aria-label={`Drawing in place of a photo of ${name}`}>
      <path id={id} d={halfFace(seed)} />
      <use href={`#${id}`} transform="matrix(-1 0 0 1 300 0)" />
    </svg>
  );
}

/** The right eye and its brow; the left one is its mirror. */
function halfFace(seed: number): string {
  const { edge, ...hairs } = arches[seed % arches.length]!;
  const left = 168 + (seed % 3) * 6;
  const lid = curve(lids[(seed + Math.floor(seed / 10)) % lids.length]!, left, 76, 34);
  const laid = lashes[(seed * 3 + Math.floor(seed / 10)) % lashes.length]!(lid, seed);
  const arch = curve(edge, left - 4, 90, 48);
  return ribbonPath(lid, 1.6) + strokePath(laid) + strokePath(brow(arch, { ...hairs, seed: seed + 7, width: 2 }));
}

function curve([start, control, end]: Shape, left: number, width: number, bulge: number): Curve {
  return [{ x: left, y: start }, { x: left + bulge, y: control }, { x: left + width, y: end }];
}

/** The id of a person's place on the page of speakers and judges. */
export const personAnchor = (key: string) => `person-${key}`;

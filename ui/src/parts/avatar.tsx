import { useId } from "react";
import type { Image } from "../api/content-types";
import { brow, fan, ribbonPath, strokePath, type Curve } from "./stroke";

interface AvatarProps {
  image: Image;
  name: string;
  /** Makes each drawn face look a little different. */
  seed: number;
}

const eyeLeft = 174;
const lid = (left: number): Curve => [{ x: left, y: 136 }, { x: left + 34, y: 166 }, { x: left + 76, y: 132 }];
const arch = (left: number): Curve => [{ x: left - 4, y: 106 }, { x: left + 44, y: 66 }, { x: left + 86, y: 102 }];
/** A person's picture, or a drawn one: two closed eyes and their brows. */
export function Avatar({ image, name, seed }: AvatarProps) {
  const id = useId();
  if (image) return <img className="avatar picture" loading="lazy" sizes="(min-width: 48rem) 25vw, 100vw" {...image} alt={name} decoding="async" />;
  const eye = ribbonPath(lid(eyeLeft), 1.6) + strokePath(fan(lid(eyeLeft), { count: 13, seed, length: 24 + (seed % 4) * 2, width: 2.4, spread: 22, jitter: 0.6 }));
  const hairs = strokePath(brow(arch(eyeLeft), { count: 44, seed: seed + 7, length: 19, width: 2, body: 8 + (seed % 3) * 2, combed: (seed % 3) * 0.3 }));
  return (
    <svg className={`avatar avatar-${seed % 4}`} viewBox="0 0 300 250" role="img" aria-label={`Drawing in place of a photo of ${name}`}>
      <path id={id} d={eye + hairs} />
      <use href={`#${id}`} transform="matrix(-1 0 0 1 300 0)" />
    </svg>
  );
}

import { brow, fan, ribbonPath, strokePath, type Curve } from "./stroke";

interface AvatarProps {
  image: string;
  name: string;
  /** Makes each drawn face look a little different. */
  seed: number;
}

const lid = (left: number): Curve => [{ x: left, y: 96 }, { x: left + 26, y: 118 }, { x: left + 52, y: 96 }];
const arch = (left: number): Curve => [{ x: left - 2, y: 78 }, { x: left + 30, y: 54 }, { x: left + 58, y: 74 }];
const left = 26;

/** A person's picture, or a drawn one: two closed eyes and their brows. */
export function Avatar({ image, name, seed }: AvatarProps) {
  if (image) return <img className="avatar picture" src={image} alt={name} width={300} height={300} loading="lazy" decoding="async" />;
  const eye = ribbonPath(lid(left + 82), 1.6) + strokePath(fan(lid(left + 82), { count: 11, seed, length: 17 + (seed % 4), width: 2, spread: 22, jitter: 0.6 }));
  const hairs = strokePath(brow(arch(left + 82), { count: 34, seed: seed + 7, length: 13, width: 1.6, body: 6 + (seed % 3), combed: (seed % 3) * 0.3 }));
  return (
    <svg className={`avatar avatar-${seed % 4}`} viewBox="0 0 216 180" role="img" aria-label={`Drawing in place of a photo of ${name}`}>
      <path d={eye + hairs} />
      <path d={eye + hairs} transform="matrix(-1 0 0 1 216 0)" />
    </svg>
  );
}

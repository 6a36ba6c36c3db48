/** Width and height, in pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface Area extends Size {
  left: number;
  top: number;
}

/** A point in a picture: 0 is the left and top edge, 1 the right and bottom one. */
export interface Point {
  x: number;
  y: number;
}

/** The part of a picture that a place of this shape shows: as near to the focal point as the picture's edges allow. */
export function cropOf({ width, height }: Size, shape: readonly [number, number], { x, y }: Point, zoom: number): Area {
  const ratio = shape[0] / shape[1];
  const wide = Math.min(width, height * ratio) / Math.max(1, zoom);
  const high = wide / ratio;
  return { left: clamp(x * width - wide / 2, width - wide), top: clamp(y * height - high / 2, height - high), width: wide, height: high };
}

/** The focal point as the API takes it, in percent of the cropped picture. */
export function focusIn({ left, top, width, height }: Area, of: Size, { x, y }: Point): Point {
  const percent = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 100);
  return { x: percent((x * of.width - left) / width), y: percent((y * of.height - top) / height) };
}

/** The size in which a picture is sent. */
export function sentSize({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** "Ana Lima, at work" as "ana-lima-at-work-3f9c". The unique end keeps it from replacing another picture. */
export function nameFrom(text: string, unique: string): string {
  const slug = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 50).replace(/^-+|-+$/g, "");
  return `${slug || "picture"}-${unique}`;
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(0, value), Math.max(0, most));
}

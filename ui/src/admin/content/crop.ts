/** Width and height, in pixels. */
interface Size {
  width: number;
  height: number;
}

interface Area extends Size {
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

/** The widest size that pages show, in pixels. */
const longestSide = 2400;
const quality = 0.9;
/** The types of formats that can be transparent. */
const transparent = ["image/png", "image/webp"];

/** Decodes a picture in any format that the browser knows, such as HEIC on Apple's devices; undefined if it cannot. */
export async function openPicture(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    return await createImageBitmap(file);
  } catch {
    return undefined;
  }
}

/** The part of the picture that is shown, as a file to send. It has no metadata of the camera, such as the place. */
export async function croppedFile(picture: ImageBitmap, area: Area, type: string): Promise<Blob | undefined> {
  const size = sentSize(area, longestSide);
  const canvas = document.createElement("canvas");
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext("2d");
  if (!context) return undefined;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, area.left, area.top, area.width, area.height, 0, 0, size.width, size.height);
  const blob = await new Promise<Blob | null>((settle) => canvas.toBlob(settle, transparent.includes(type) ? "image/png" : "image/jpeg", quality));
  return blob ?? undefined;
}

/** Draws the whole picture with the frame and the focal point. The part outside the frame is darker. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, area: Area, point: { x: number; y: number }): void {
  const { width, height } = sentSize(picture, 720);
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return;
  const scale = width / picture.width;
  const frame = [area.left * scale, area.top * scale, area.width * scale, area.height * scale] as const;
  context.drawImage(picture, 0, 0, width, height);
  context.fillStyle = "rgba(42, 21, 36, 0.62)";
  context.beginPath();
  context.rect(0, 0, width, height);
  context.rect(...frame);
  context.fill("evenodd");
  context.lineWidth = 2;
  context.strokeStyle = "#fbf6ef";
  context.strokeRect(...frame);
  context.beginPath();
  context.arc(point.x * width, point.y * height, 10, 0, 2 * Math.PI);
  context.fillStyle = "#a93a55";
  context.fill();
  context.lineWidth = 3;
  context.stroke();
}

import { sentSize, type Area } from "./crop";

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

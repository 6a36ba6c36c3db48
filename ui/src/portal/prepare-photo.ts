import { isHeic } from "../lib/heic";

/** The longest side of a converted photo, in pixels. Phones have little memory for a canvas. */
const longestSide = 4096;
const quality = 0.92;

/** The file as it is, or as a JPEG where the server does not read its format and this browser does; undefined if nobody reads its HEIC. */
export async function preparePhoto(file: File): Promise<File | undefined> {
  // The family that HEIC belongs to, and films (ISO/IEC 14496-12).
  if (file.type.startsWith("video/") || await file.slice(4, 8).text() !== "ftyp") return file;
  const unread = await isHeic(file) ? undefined : file;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const blob = await new Promise<Blob | null>((settle) => canvas.toBlob(settle, "image/jpeg", quality));
    return blob ? new File([blob], "photo.jpg", { type: "image/jpeg", lastModified: file.lastModified }) : unread;
  } catch {
    return unread;
  }
}

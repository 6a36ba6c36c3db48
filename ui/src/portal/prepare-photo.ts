/** The longest side of a converted photo, in pixels. Phones have little memory for a canvas. */
const longestSide = 4096;
const quality = 0.92;

/** Whether the bytes are of the family that HEIC belongs to (ISO/IEC 14496-12), whatever the file is called. */
export function isHeic(start: Uint8Array): boolean {
  return String.fromCharCode(...start.subarray(4, 8)) === "ftyp";
}

/** The file as it is, or as a JPEG where the server does not read its format and this browser does. */
export async function preparePhoto(file: File): Promise<File> {
  if (file.type.startsWith("video/")) return file;
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  if (!isHeic(start)) return file;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const blob = await new Promise<Blob | null>((settle) => canvas.toBlob(settle, "image/jpeg", quality));
    return blob ? new File([blob], "photo.jpg", { type: "image/jpeg", lastModified: file.lastModified }) : file;
  } catch {
    // The server refuses the file and says which formats it takes.
    return file;
  }
}

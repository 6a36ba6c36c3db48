/** How to get a JPEG from a HEIC. The server has the same words (`src/pictures.rs`). */
export const heicAdvice = "This HEIC photo cannot be read here. Please send it from the iPhone itself, which converts it, or save it as a JPEG. For the next photos, choose Settings, Camera, Formats: Most Compatible on the iPhone.";

/** Whether a file is HEIC by its bytes (ISO/IEC 23008-12, annex B), whatever its name and type are. */
export async function isHeic(file: Blob): Promise<boolean> {
  return /^ftyp(hei[cxms]|hev[cx]|m[is]f1)/.test(await file.slice(4, 12).text());
}

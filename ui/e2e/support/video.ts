import type { Page } from "playwright-core";

interface Picture {
  bytes: string;
  isKey: boolean;
}

/** A box of an MP4 (ISO/IEC 14496-12, 4.2). */
function box(kind: string, ...content: Buffer[]): Buffer {
  const whole = Buffer.concat([Buffer.alloc(4), Buffer.from(kind, "latin1"), ...content]);
  whole.writeUInt32BE(whole.length);
  return whole;
}

function numbers(...all: number[]): Buffer {
  const bytes = Buffer.alloc(all.length * 4);
  for (const [index, one] of all.entries()) bytes.writeUInt32BE(one, index * 4);
  return bytes;
}

const width = 320;
const height = 240;
const pictures = 30;
/** Ten frames a second. */
const ticks = 100;

/** A real MP4 of three seconds, in VP9, which every Chromium can encode, with this text in its metadata. */
export async function video(page: Page, note: string): Promise<Buffer> {
  const coded = await page.evaluate(async ({ width, height, pictures }) => {
    const found: Picture[] = [];
    const encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        found.push({ bytes: btoa(String.fromCharCode(...bytes)), isKey: chunk.type === "key" });
      },
      error: (error) => { throw error; },
    });
    encoder.configure({ codec: "vp09.00.10.08", width, height, bitrate: 200_000 });
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d")!;
    for (let number = 0; number < pictures; number += 1) {
      context.fillStyle = `hsl(${number * 12} 60% 60%)`;
      context.fillRect(0, 0, width, height);
      const frame = new VideoFrame(canvas, { timestamp: number * 100_000 });
      encoder.encode(frame, { keyFrame: number % 10 === 0 });
      frame.close();
    }
    await encoder.flush();
    return found;
  }, { width, height, pictures });
  const samples = coded.map(({ bytes }) => Buffer.from(bytes, "base64"));
  const keys = coded.flatMap(({ isKey }, index) => (isKey ? [index + 1] : []));
  const type = box("ftyp", Buffer.from("isom\0\0\0\0isomiso2"));
  const length = pictures * ticks;
  const upright = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const movie = box("mvhd", numbers(0, 1, 1, 1000, length, 0x10000), Buffer.from([1, 0]), Buffer.alloc(10), upright, Buffer.alloc(24), numbers(2));
  const head = box("tkhd", numbers(3, 1, 1, 1, 0, length, 0, 0, 0, 0), upright, numbers(width * 0x10000, height * 0x10000));
  const size = Buffer.alloc(4);
  size.writeUInt16BE(width);
  size.writeUInt16BE(height, 2);
  const settings = box("vpcC", Buffer.from([1, 0, 0, 0, 0, 10, 0x82, 1, 1, 1, 0, 0]));
  const name = Buffer.alloc(32);
  name.write(`\x0a${note}`, "latin1");
  const coding = box("vp09", Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), Buffer.alloc(16), size, numbers(0x480000, 0x480000, 0), Buffer.from([0, 1]), name, Buffer.from([0, 24, 255, 255]), settings);
  const table = box(
    "stbl", box("stsd", numbers(0, 1), coding), box("stts", numbers(0, 1, pictures, ticks)), box("stss", numbers(0, keys.length, ...keys)),
    box("stsc", numbers(0, 1, 1, pictures, 1)), box("stsz", numbers(0, 0, pictures, ...samples.map((sample) => sample.length))), box("stco", numbers(0, 1, type.length + 8)),
  );
  const own = box("dinf", box("dref", numbers(0, 1), box("url ", numbers(1))));
  const handler = box("hdlr", numbers(0, 0), Buffer.from("vide"), Buffer.alloc(12), Buffer.from(`${note}\0`));
  const media = box("mdia", box("mdhd", numbers(0, 1, 1, 1000, length, 0x55c40000)), handler, box("minf", box("vmhd", numbers(1, 0, 0)), own, table));
  return Buffer.concat([type, box("mdat", ...samples), box("moov", movie, box("trak", head, media), box("udta", box("name", Buffer.from(note))))]);
}

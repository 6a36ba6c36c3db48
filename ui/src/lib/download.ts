import { request } from "./request";

/** Downloads a file and saves it under the name that the server gives it. */
export async function download(path: string, defaultName: string): Promise<void> {
  const response = await request(path);
  const name = fileName(response.headers.get("content-disposition")) ?? defaultName;
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers start to read the address only after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The name in a content-disposition header, without any folder: RFC 6266, the extended form first. */
export function fileName(header: string | null): string | undefined {
  if (!header) return undefined;
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(header)?.[1];
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, "$1");
  const plain = /filename\s*=\s*([^\s";]+)/i.exec(header)?.[1];
  const name = (extended === undefined ? undefined : decoded(extended.trim())) ?? quoted ?? plain;
  return name?.split(/[/\\]/).at(-1) || undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

import { request } from "./request";

/** Downloads a file and saves it under the name that the server gives it. */
export async function download(path: string, defaultName: string): Promise<void> {
  const response = await request(path);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? defaultName;
  saveFile(await response.blob(), name);
}

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers start to read the address only after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

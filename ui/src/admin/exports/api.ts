import { download } from "../../lib/download";
import { addressWith } from "../shell/address";

export type Format = "csv" | "json" | "xlsx";

/** Which registrations a file holds; an empty value selects all. */
export interface Selection {
  kind?: string;
  status?: string;
  search?: string;
  category?: string;
  from?: string;
  to?: string;
}

/** Saves the registrations as a file, under the server's name for it. */
export async function downloadExport(format: Format, selection: Selection, defaultName: string): Promise<void> {
  const query = addressWith(new URLSearchParams(), { ...selection });
  await download(`/api/export/${format}${query.startsWith("?") ? query : ""}`, defaultName);
}

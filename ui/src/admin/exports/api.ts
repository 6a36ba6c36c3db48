import { download } from "../../lib/download";
import { addressWith } from "../shell/address";

export type Format = "csv" | "json" | "xlsx";

/** The registrations to export; an empty value selects all. */
export interface Selection {
  kind?: string;
  status?: string;
  search?: string;
  category?: string;
  from?: string;
  to?: string;
}

/** Downloads the registrations under the file name that the server gives. */
export async function downloadExport(format: Format, selection: Selection, defaultName: string): Promise<void> {
  const query = addressWith(new URLSearchParams(), { ...selection });
  await download(`/api/export/${format}${query.startsWith("?") ? query : ""}`, defaultName);
}

import { download } from "../../lib/download";
import { addressWith, type Changes } from "../shell/address";
import { useAdmin } from "../shell/admin-context";
import { endsSession } from "../shell/session";
import { useBusy } from "../../kit/use-busy";

export type Format = "csv" | "json" | "xlsx";

/** Saves an export as a file, and says so in the browser's own words when it fails. */
export function useExport() {
  const { fileName } = useAdmin();
  const { busy, run } = useBusy();
  const save = (format: Format, selection: Changes = {}) => run(async () => {
    const query = addressWith(new URLSearchParams(), selection);
    try {
      await download(`/api/export/${format}${query.startsWith("?") ? query : ""}`, `${fileName}-registrations.${format}`);
    } catch (error) {
      alert("Export failed. Please try again.");
      endsSession(error);
    }
  });
  return { busy, save };
}

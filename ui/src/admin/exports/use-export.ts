import { useBusy } from "../../kit/use-busy";
import { useAdmin } from "../shell/admin-context";
import { endsSession } from "../shell/session";
import { downloadExport, type Format, type Selection } from "./api";

/** Saves an export as a file. A failure is the browser's own alert, as the product specification has it. */
export function useExport() {
  const { fileName } = useAdmin();
  const { busy, run } = useBusy();
  const save = (format: Format, selection: Selection = {}) => run(async () => {
    try {
      await downloadExport(format, selection, `${fileName}-registrations.${format}`);
    } catch (error) {
      alert("Export failed. Please try again.");
      endsSession(error);
    }
  });
  return { busy, save };
}

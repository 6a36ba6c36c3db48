import { useBusy } from "../../kit/use-busy";
import { useAdmin } from "../shell/admin-context";
import { endsSession } from "../shell/session";
import { downloadExport, type Format, type Selection } from "./api";

/** Downloads an export. A failure is shown by `alert()`, as the product specification requires. */
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

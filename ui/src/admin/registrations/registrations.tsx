import type { Kind } from "../../lib/page";
import { useAddress } from "../shell/address";
import type { FormLabels } from "../shell/form-labels";
import { ListPage } from "./list-page";
import { RecordPage } from "./record-page";

/** All registrations of a kind, or with `?id=` one of them. */
export function RegistrationsSection({ kind, form }: { kind: Kind; form: FormLabels }) {
  const id = Number(useAddress().get("id") ?? "");
  if (Number.isSafeInteger(id) && id > 0) return <RecordPage key={id} kind={kind} form={form} id={id} />;
  return <ListPage kind={kind} form={form} />;
}

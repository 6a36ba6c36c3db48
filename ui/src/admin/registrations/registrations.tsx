import type { Kind } from "../../lib/page";
import { recordIn, useAddress } from "../shell/address";
import type { FormLabels } from "../shell/form-labels";
import { ListPage } from "./list-page";
import { RecordPage } from "./record-page";

/** All registrations of a kind, or with `?id=` one of them. */
export function RegistrationsSection({ kind, form }: { kind: Kind; form: FormLabels }) {
  const id = recordIn(useAddress());
  if (id !== undefined) return <RecordPage key={id} kind={kind} form={form} id={id} />;
  return <ListPage kind={kind} form={form} />;
}

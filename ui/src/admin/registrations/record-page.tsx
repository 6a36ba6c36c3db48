import { useEffect } from "react";
import useSWR from "swr";
import { ApiError } from "../../lib/api-error";
import type { Kind } from "../../lib/page";
import { AddressLink } from "../shell/address-link";
import { CorrectAnswers } from "../corrections/correct-answers";
import { Participation } from "../participation/participation";
import { Decision } from "./decision";
import { useAdmin } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import { Failure } from "../shell/failure";
import { forgetLists } from "./forget-lists";
import type { FormLabels } from "../shell/form-labels";
import { kindWords, type Registration } from "../shell/kinds";
import { nameOf, openedRecord } from "../shell/naming";
import { History } from "./history";
import { RecordMails } from "./record-mails";
import { Refund } from "./refund";
import { Standing } from "./standing";
import { valueOf } from "../shell/values";

interface Props {
  kind: Kind;
  form: FormLabels;
  id: number;
}

/** One registration, whole. */
export function RecordPage({ kind, form, id }: Props) {
  const { data: record, error, mutate } = useSWR<Registration, unknown>(["/api", kind, String(id)]);
  const missing = error instanceof ApiError && error.status === 404;
  const name = record ? nameOf(kind, record) : `${form.name} ${id}`;
  usePageTitle(name);
  useEffect(() => openedRecord(kind, id), [kind, id]);
  return (
    <>
      <p className="way-back"><AddressLink to={{ id: null }} arrives>All {kindWords[kind].plural.toLowerCase()}</AddressLink></p>
      <header className="admin-head">
        <AdminTitle>{name}</AdminTitle>
        {record && <Standing kind={kind} form={form} record={record} />}
      </header>
      {missing && <p className="empty">There is no {form.name.toLowerCase()} with the number {id}. It may have been erased.</p>}
      {error !== undefined && !missing && <Failure error={error} onRetry={() => mutate()}>This registration could not be read.</Failure>}
      {error === undefined && !record && <p className="admin-waiting">Reading the registration...</p>}
      {record && (
        <div className="record">
          <div className="record-answers">
            {form.sections.map(({ title, fields }) => (
              <section key={title} className="record-section">
                <h2>{title}</h2>
                <dl>
                  {fields.map((field) => (
                    <div key={field.name} className={field.type === "longText" ? "is-long" : undefined}>
                      <dt>{field.label}</dt>
                      <dd>{valueOf(field, record)}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <div className="record-aside">
            <Decision kind={kind} record={record} onSaved={() => mutate()} />
            {kind === "competition-entries" && <Refund record={record} onRefunded={() => mutate()} />}
            {kind === "competition-entries" && <Participation record={record} onChanged={() => Promise.all([mutate(), forgetLists(kind)])} />}
            <CorrectAnswers key={`${kind}/${id}`} kind={kind} form={form} record={record} onSaved={() => Promise.all([mutate(), forgetLists(kind)])} />
            <History kind={kind} record={record} />
            <RecordMails kind={kind} record={record} onCorrected={() => Promise.all([mutate(), forgetLists(kind)])} />
          </div>
        </div>
      )}
    </>
  );
}

/** The tab says who is open; the list's own title comes back afterwards. */
function usePageTitle(name: string): void {
  const { event } = useAdmin();
  useEffect(() => {
    const before = document.title;
    document.title = `${name} - ${event}`;
    return () => {
      document.title = before;
    };
  }, [name, event]);
}

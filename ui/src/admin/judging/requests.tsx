import { useState } from "react";
import { Button } from "../../kit/button";
import { Table } from "../../kit/table";
import { relationKinds } from "../nominations/api";
import type { Detail } from "./api";
import { ReasonDialog } from "./reason-dialog";
import type { Take } from "./use-category-steps";

type Request = Detail["requests"][number];

/** What competitors said about judges too late for it to count at once, or about everybody who could judge them. */
export function Requests({ detail: { requests }, busy, take }: { detail: Detail; busy: boolean; take: Take }) {
  const [deciding, setDeciding] = useState<{ request: Request; accepted: boolean }>();
  if (requests.length === 0) return null;
  const decide = async ({ judge, judgeName, code }: Request, accepted: boolean, reason: string) => {
    const message = accepted ? `${judgeName} does not score ${code}.` : `${judgeName} scores ${code}.`;
    if (await take({ action: "requests", judge, code, accepted, reason }, { title: accepted ? "Accepted" : "Rejected", message })) setDeciding(undefined);
  };
  const choice = (request: Request, accepted: boolean) => (
    <Button look="text" onClick={() => setDeciding({ request, accepted })}>
      {accepted ? "Accept…" : "Reject…"}<span className="hidden-text"> what {request.name} says about {request.judgeName}</span>
    </Button>
  );
  return (
    <section className="admin-part" aria-labelledby="requests-title">
      <h2 id="requests-title">Competitors who know a judge</h2>
      <p className="measure">They said so after the deadline, when the judge had given points, or about everybody who could judge them. The judge scores them unless you accept it.</p>
      <Table
        caption="Requests" rows={requests} rowKey={({ judge, code }) => `${judge} ${code}`}
        columns={[
          { name: "nomination", label: "Nomination", cell: ({ code, name }) => <><span className="figures">{code}</span><span className="row-email">{name}</span></> },
          { name: "judge", label: "Judge", cell: ({ judgeName }) => judgeName },
          { name: "words", label: "What she says", cell: ({ relations }) => relations.map(({ kind, judge, note }) => <span key={kind} className="line">{relationKinds[kind]} {judge}{note && `: ${note}`}</span>) },
          { name: "actions", label: "Decision", cell: (request) => <>{choice(request, true)} {choice(request, false)}</> },
        ]}
      />
      {deciding && (
        <ReasonDialog
          title={deciding.accepted ? `Take ${deciding.request.code} from ${deciding.request.judgeName}?` : `Let ${deciding.request.judgeName} score ${deciding.request.code}?`}
          action={deciding.accepted ? "Accept" : "Reject"} busy={busy} onClose={() => setDeciding(undefined)}
          onSend={(reason) => decide(deciding.request, deciding.accepted, reason)}
        >
          <p>{deciding.request.name} reads your reason in the Artist Portal.{deciding.accepted && " Points that the judge gave do not count, and a reserve steps in."}</p>
        </ReasonDialog>
      )}
    </section>
  );
}

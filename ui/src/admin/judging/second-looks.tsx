import { Button } from "../../kit/button";
import { Table } from "../../kit/table";
import type { Detail } from "./api";
import type { Take } from "./use-category-steps";
import { signed } from "./words";

const states = { asked: "Asked", kept: "Kept", changed: "Changed" };

/** Sheets far from the panel's median: their judges are asked to look once more. */
export function SecondLooks({ detail: { secondLooks, rubric }, busy, take }: { detail: Detail; busy: boolean; take: Take }) {
  if (secondLooks.length === 0) return null;
  return (
    <section className="admin-part" aria-labelledby="second-title">
      <h2 id="second-title">Second look</h2>
      <p className="measure">More than {rubric.secondLookPoints} points from the median of the panel. The judge sees the nomination again, without the others&rsquo; points, and keeps or changes.</p>
      <Table
        caption="Second looks" rows={secondLooks} rowKey={({ judge, code }) => `${judge} ${code}`} figures
        columns={[
          { name: "sheet", label: "Sheet", cell: ({ code, judgeName }) => <>{code}<span className="row-email">{judgeName}</span></> },
          { name: "distance", label: "From the median", cell: ({ distance }) => signed(distance) },
          {
            name: "state", label: "State",
            cell: ({ state, judge, code, judgeName, reason }) => state === "suggested"
              ? <Button look="text" inactive={busy} onClick={() => void take({ action: "second-looks", judge, code }, { title: "Asked", message: `${judgeName} looks at ${code} once more.` })}>Ask<span className="hidden-text"> {judgeName} about {code}</span></Button>
              : (
                <>
                  {states[state]}{reason && <span className="row-email">{reason}</span>}
                  {state === "asked" && <> <Button look="text" inactive={busy} onClick={() => void take({ action: "second-looks/cancel", judge, code }, { title: "Taken Back", message: `${code} of ${judgeName} is confirmed again.` })}>Take back<span className="hidden-text"> the request to {judgeName} about {code}</span></Button></>}
                </>
              ),
          },
        ]}
      />
    </section>
  );
}

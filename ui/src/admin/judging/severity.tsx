import { Table } from "../../kit/table";
import type { Detail } from "./api";
import { signed } from "./words";

/** How each judge's points differ from the panel's. For information only: the results do not depend on it. */
export function Severity({ detail: { severity, state, nominations } }: { detail: Detail }) {
  if (state === "no_panel") return null;
  return (
    <section className="admin-part" aria-labelledby="severity-title">
      <h2 id="severity-title">How strict each judge is</h2>
      {severity === null
        ? <p className="measure soft">{nominations < 8 ? "Shown once a category has eight nominations." : "Shown once there are confirmed sheets to compare."}</p>
        : (
          <>
            <p className="measure">Only organisers see this. A judge who is strict with everybody does not change the places. If the agreement is low, ask the judge about it.</p>
            <Table
              caption="How strict each judge is" rows={severity} rowKey={({ judge }) => judge} figures
              columns={[
                { name: "judge", label: "Judge", cell: ({ name }) => name },
                { name: "distance", label: "From the mean", cell: ({ distance }) => signed(distance) },
                { name: "spread", label: "Spread", from: "roomy", cell: ({ spread }) => spread },
                { name: "agreement", label: "Agreement", cell: ({ agreement }) => agreement === null ? "–" : signed(agreement) },
              ]}
            />
            <p className="soft">From the mean: points above or below the panel. Spread: how far apart this judge&rsquo;s points lie. Agreement: 1 is the panel&rsquo;s order, 0 is no relation to it.</p>
          </>
        )}
    </section>
  );
}

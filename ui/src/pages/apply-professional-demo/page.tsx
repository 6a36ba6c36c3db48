import { ApplyPage } from "../shared/apply-page";
import type { ApplyData } from "../shared/apply-data.server";

export function View({ data }: { data: ApplyData }) {
  const { nextTitle, next } = data.text;
  return (
    <ApplyPage
      kind="professional-demo-registrations"
      data={data}
      art="live-brows"
      after={
        <section className="dark section">
          <div className="frame next-steps">
            <h2>{nextTitle}</h2>
            <ol>
              {next.map((step) => <li key={step}>{step}</li>)}
            </ol>
          </div>
        </section>
      }
    />
  );
}

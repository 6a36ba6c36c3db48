import type { PageInput } from "../../lib/page";
import { ApplyPage, applyData, type ApplyData } from "../shared/apply-page.server";

export { applyHead as head } from "../shared/apply-page.server";

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

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "professional-demo-registrations", "demo", "applyProfessionalDemo", {
    termsAccepted: "demoTerms",
    photographyConsent: "photographyRelease",
  });
}

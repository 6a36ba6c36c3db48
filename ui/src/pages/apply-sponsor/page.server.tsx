import type { PageInput } from "../../lib/page";
import { ApplyPage, applyData, type ApplyData } from "../shared/apply-page.server";

export { applyHead as head } from "../shared/apply-page.server";

export function View({ data }: { data: ApplyData }) {
  return <ApplyPage kind="sponsor-applications" data={data} art="gala" before={<Benefits tiles={data.text.tiles} />} />;
}

function Benefits({ tiles }: { tiles: { title: string; text: string }[] }) {
  return (
    <section className="frame benefits" aria-label="What sponsors get">
      {tiles.map((tile) => (
        <div key={tile.title} className="benefit">
          <h2 className="title">{tile.title}</h2>
          <p className="soft">{tile.text}</p>
        </div>
      ))}
    </section>
  );
}

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "sponsor-applications", "sponsor", "applySponsor", { agreementTerms: "sponsorTerms" });
}

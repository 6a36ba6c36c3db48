import { ApplyPage } from "../shared/apply-page";
import type { ApplyData } from "../shared/apply-data.server";

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

import { useRef } from "react";
import { later } from "../../kit/later";
import { OverviewSection } from "../overview/overview";
import { useTitleFocusAfterBack } from "./address";
import { AdminBar } from "./admin-bar";
import type { AdminData } from "./admin-data.server";
import { AdminMenu, SectionTabs } from "./admin-menu";
import { SectionBoundary } from "./parts";
import type { Session } from "./session";
import { useKeptFocus } from "./use-kept-focus";

// The overview comes with the page; the code of what it leads to follows.
const section = later(() => import("./section").then(({ Section }) => Section));

/** Settles when the code of the sections is here, so that a link shows its section at once. */
export const { ready } = section;

/** The organiser's pages after signing in: the menu and a section. */
export function SignedIn({ session, data }: { session: Session; data: AdminData }) {
  const current = data.kind ?? data.section;
  const body = useRef<HTMLDivElement>(null);
  useKeptFocus(body);
  useTitleFocusAfterBack();
  return (
    <div className="admin">
      <AdminBar session={session} />
      <div ref={body} className="admin-body">
        <AdminMenu current={current} />
        <main id="content" className="admin-main" key={current}>
          {current && <SectionTabs current={current} />}
          <SectionBoundary>
            {current ? <section.View {...data} /> : <OverviewSection />}
          </SectionBoundary>
        </main>
      </div>
    </div>
  );
}

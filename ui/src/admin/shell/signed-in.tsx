import { useRef } from "react";
import { later } from "../../kit/later";
import { OverviewSection } from "../overview/overview";
import { useArrivalAfterBack } from "./address";
import { AdminBar } from "./admin-bar";
import type { AdminData } from "./admin-data.server";
import { AdminMenu } from "./admin-menu";
import { SectionBoundary } from "./section-boundary";
import type { Session } from "./session";
import { useKeptFocus } from "./use-kept-focus";

// The overview comes with the page; the code of what it leads to follows.
const registrations = later(() => import("../registrations/registrations").then(({ RegistrationsSection }) => RegistrationsSection));
const ownSection = later(() => import("./own-section").then(({ OwnSection }) => OwnSection));

/** Settles when every section's code is here, so that a link shows its section at once. */
export async function ready(): Promise<void> {
  await Promise.all([registrations.ready(), ownSection.ready()]);
}

/** The organiser's pages after signing in: the menu and a section. */
export function SignedIn({ session, data: { kind, form, section } }: { session: Session; data: AdminData }) {
  const body = useRef<HTMLDivElement>(null);
  useKeptFocus(body);
  useArrivalAfterBack();
  return (
    <div className="admin">
      <AdminBar session={session} />
      <div ref={body} className="admin-body">
        <AdminMenu current={kind ?? section} />
        <main id="content" className="admin-main" key={kind ?? section}>
          <SectionBoundary>
            {kind && form ? <registrations.View kind={kind} form={form} /> : section ? <ownSection.View section={section} /> : <OverviewSection />}
          </SectionBoundary>
        </main>
      </div>
    </div>
  );
}

import { SWRConfig } from "swr";
import { AdminBar } from "./admin-bar";
import { AdminContext } from "./admin-context";
import type { AdminData } from "./admin-data.server";
import { AdminTitle } from "./admin-title";
import { Failure } from "../../kit/loaded";
import { Gate } from "./gate";
import { sectionTitle } from "./sections";
import { adminSettings, useSession } from "./session";
import { SignedIn } from "./signed-in";

/** The organiser's pages: the sign-in form, then the sections. The server renders them without a session. */
export function Admin({ data }: { data: AdminData }) {
  return (
    <SWRConfig value={adminSettings}>
      <AdminContext value={data}>
        <AdminFrame data={data} />
      </AdminContext>
    </SWRConfig>
  );
}

function AdminFrame({ data }: { data: AdminData }) {
  const { data: session, error, mutate } = useSession();
  const known = session !== undefined && typeof session === "object" ? session : null;
  if (known) return <SignedIn session={known} data={data} />;
  return (
    <div className="admin">
      <AdminBar session={null} />
      <main id="content" className="admin-gate">
        {session === undefined ? (
          <>
            <AdminTitle>{sectionTitle(data.kind ?? data.section)}</AdminTitle>
            {error === undefined
              ? <p className="loading">Checking whether you are signed in…</p>
              : <Failure error={error} onRetry={() => mutate()}>We could not check whether you are signed in.</Failure>}
            <noscript><p>The organiser&rsquo;s pages need JavaScript.</p></noscript>
          </>
        ) : <Gate ended={session === "ended"} />}
      </main>
    </div>
  );
}

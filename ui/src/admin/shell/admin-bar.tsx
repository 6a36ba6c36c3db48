import { detailOf } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { toast } from "../../kit/toast-store";
import { useAdmin } from "./admin-context";
import { Find } from "./search";
import { signOut, type Session } from "./session";
import { useBusy } from "../../kit/use-busy";

/** The bar: the event, search and signing out. */
export function AdminBar({ session }: { session: Session | null }) {
  const { event } = useAdmin();
  const { busy, run } = useBusy();
  const leave = () => run(async () => {
    try {
      await signOut();
      toast({ title: "Signed Out", message: "You are signed out." });
    } catch (error) {
      toast({ title: "Error", message: detailOf(error) ?? "The server did not answer, so you are still signed in. Please try again.", tone: "destructive" });
    }
  });
  return (
    <header className="admin-bar">
      <p className="admin-brand">
        <span className="admin-event">{event}</span>
        <span className="admin-role">Organiser&rsquo;s pages</span>
      </p>
      {session && <Find />}
      <div className="admin-bar-end">
        <a href="/">View the site</a>
        {session && (
          <>
            <span className="admin-who">Signed in as {session.username}</span>
            <Button look="text" inactive={busy} onClick={leave}>Sign out</Button>
          </>
        )}
      </div>
    </header>
  );
}

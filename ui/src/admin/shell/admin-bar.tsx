import { detailOf } from "../../lib/api-error";
import { toast } from "../../kit/toast-store";
import { useDesk } from "./admin-context";
import { Find } from "./search";
import { signOut, type Session } from "./session";
import { useBusy } from "../../kit/use-busy";

/** Whose desk it is, and the way out of it. */
export function DeskBar({ session }: { session: Session | null }) {
  const { event } = useDesk();
  const { busy, run } = useBusy();
  const leave = () => run(async () => {
    try {
      await signOut();
      toast({ title: "Signed Out", message: "You are signed out." });
    } catch (error) {
      toast({ title: "Error", message: detailOf(error) ?? "You are still signed in: the server did not answer. Please try again.", tone: "destructive" });
    }
  });
  return (
    <header className="desk-bar">
      <p className="desk-brand">
        <span className="desk-event">{event}</span>
        <span className="desk-role">Organiser&rsquo;s desk</span>
      </p>
      {session && <Find />}
      <div className="desk-bar-end">
        <a href="/">View the site</a>
        {session && (
          <>
            <span className="desk-who">Signed in as {session.username}</span>
            <button type="button" className="text-button" aria-disabled={busy} onClick={leave}>Sign out</button>
          </>
        )}
      </div>
    </header>
  );
}

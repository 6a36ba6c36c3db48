import { detailOf } from "../../lib/api-error";
import { request } from "../../lib/request";
import { toast } from "../../kit/toast-store";
import { endsSession } from "../shell/session";

/** The server waits for the mail server; a silent server will not answer after so long. */
const patience = 30_000;

interface Words {
  sent: { title: string; message: string };
  /** Kept, but not yet taken by the mail server, which the server says in its own words. */
  queued: string;
  failed: { title: string; message: string };
}

/** Asks for a mail and says what became of it. Returns the mail server's own words when it refused. */
export async function sendMail(path: string, body: unknown, words: Words): Promise<string | undefined> {
  try {
    const reply = await request(path, { method: "POST", body, signal: AbortSignal.timeout(patience) });
    const { detail } = (await reply.json()) as { detail?: string };
    toast(reply.status === 202 ? { title: words.queued, message: detail ?? "It waits in the outbox." } : words.sent);
    return undefined;
  } catch (error) {
    if (endsSession(error)) return undefined;
    toast({ ...words.failed, tone: "destructive" });
    return detailOf(error);
  }
}

import { detailOf } from "../api/api-error";
import { request } from "../api/request";
import { toast } from "../parts/toast-store";
import { endsSession } from "./session";

/** The server waits for the mail server; a silent server will not answer after so long. */
const patience = 30_000;

interface Words {
  sent: { title: string; message: string };
  /** Kept, but not yet taken by the mail server. */
  queued: { title: string; message: string };
  failed: { title: string; message: string };
}

/** Asks for a mail and says what became of it. Returns the mail server's own words when it refused. */
export async function sendMail(path: string, body: unknown, words: Words): Promise<string | undefined> {
  try {
    const { status } = await request(path, { method: "POST", body, signal: AbortSignal.timeout(patience) });
    toast(status === 202 ? words.queued : words.sent);
    return undefined;
  } catch (error) {
    if (endsSession(error)) return undefined;
    toast({ ...words.failed, tone: "destructive" });
    return detailOf(error);
  }
}

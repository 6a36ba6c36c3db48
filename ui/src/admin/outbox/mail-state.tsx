import type { Mail } from "./mail";
import { StatusMark } from "../shell/status-mark";

export function MailState({ mail }: { mail: Mail }) {
  return <StatusMark status={`mail_${mail.state}`} />;
}

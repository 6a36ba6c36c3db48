import { StatusMark } from "../shell/status-mark";
import type { Mail } from "./api";

export function MailState({ mail }: { mail: Mail }) {
  return <StatusMark status={`mail_${mail.state}`} />;
}

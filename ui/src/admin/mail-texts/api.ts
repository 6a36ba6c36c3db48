import useSWR from "swr";
import { request } from "../../lib/request";
import type { Placeholder } from "../mailings/api";

/** The text of a standard email, with its default. */
export interface MailText {
  name: string;
  title: string;
  subject: string;
  text: string;
  isDefault: boolean;
  placeholders: Placeholder[];
  changedAt: string | null;
  actor: string | null;
}

export function useMailTexts() {
  return useSWR<{ items: MailText[] }, unknown>(["/api", "mail-texts"], { revalidateOnMount: true });
}

export function useMailText(name: string) {
  return useSWR<MailText, unknown>(["/api", "mail-texts", name], { revalidateOnMount: true });
}

export async function saveMailText({ name, changedAt }: MailText, edit: { subject: string; text: string }): Promise<MailText> {
  const reply = await request(`/api/mail-texts/${name}`, { method: "PATCH", body: { ...edit, changedAt: changedAt ?? "" } });
  return (await reply.json()) as MailText;
}

export async function resetMailText(name: string): Promise<MailText> {
  return (await (await request(`/api/mail-texts/${name}`, { method: "DELETE" })).json()) as MailText;
}

export interface Previewed {
  recipient: string;
  subject: string;
  text: string;
}

export async function previewMailText(name: string, edit: { subject: string; text: string }): Promise<Previewed> {
  return (await (await request(`/api/mail-texts/${name}/preview`, { method: "POST", body: edit })).json()) as Previewed;
}

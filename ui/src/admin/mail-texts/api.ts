import useSWR from "swr";
import { requestJson } from "../../lib/request";
import type { Placeholder } from "../mailings/api";
import { saveVersion, useVersioned, type Versioned } from "../shell/versioned";

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

/** What an organiser writes. */
export interface TextEdit {
  subject: string;
  text: string;
}

export function useMailTexts() {
  return useSWR<{ items: MailText[] }, unknown>(["/api", "mail-texts"], { revalidateOnMount: true });
}

export function useMailText(name: string) {
  return useVersioned<MailText>(["/api", "mail-texts", name], { revalidateOnMount: true });
}

export async function saveMailText({ value: { name }, tag }: Versioned<MailText>, edit: TextEdit): Promise<Versioned<MailText>> {
  return saveVersion(`/api/mail-texts/${name}`, tag, { method: "PATCH", body: edit });
}

export async function resetMailText({ value: { name }, tag }: Versioned<MailText>): Promise<Versioned<MailText>> {
  return saveVersion(`/api/mail-texts/${name}`, tag, { method: "DELETE" });
}

export interface Previewed {
  recipient: string;
  subject: string;
  text: string;
}

export function previewMailText(name: string, edit: TextEdit): Promise<Previewed> {
  return requestJson(`/api/mail-texts/${name}/preview`, { method: "POST", body: edit });
}

/** The admin sections other than the registration lists, by the last part of their address; `admin/shell/sections.ts` has their titles. */
export const adminSections = ["payments", "mailings", "exports", "nominations", "judging", "door", "lists", "site", "forms", "mail-texts", "outbox", "audit", "backups", "access"] as const;

/** The admin sections other than the registration lists, by the last part of their address; `admin/shell/sections.ts` has their titles. */
export const adminSections = ["site", "nominations", "judging", "door", "forms", "lists", "payments", "mailings", "mail-texts", "outbox", "audit", "backups", "access"] as const;

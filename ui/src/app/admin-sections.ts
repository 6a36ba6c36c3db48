/** The organiser's sections beside the lists, by the last part of their address; `admin/shell/sections.ts` has their titles. */
export const adminSections = ["site", "nominations", "forms", "lists", "payments", "mailings", "mail-texts", "outbox", "audit", "backups", "access"] as const;

/** The organiser's rooms beside the lists, by the last part of their address. What each is called is the desk's business. */
export const deskRooms = ["forms", "payments", "outbox", "audit", "backups", "access"] as const;

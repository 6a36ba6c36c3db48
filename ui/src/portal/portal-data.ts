/** What the Artist Portal takes from the content. */
export interface PortalData {
  /** The event's IANA time zone, and its name for people. */
  timeZone: string;
  timeZoneLabel: string;
  /** The organiser's address. */
  email: string;
}

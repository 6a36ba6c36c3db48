/** What the Artist Portal takes from the content. */
export interface PortalData {
  /** An IANA time zone, and what people call it. */
  timeZone: string;
  timeZoneLabel: string;
  /** The organiser's address. */
  email: string;
}

/** The event content as the server gives it: `src/content/event.toml` with camelCase keys. */
export interface EventContent {
  event: { name: string; shortName: string; dates: string; city: string; organiser: string };
  contact: { email: string };
}

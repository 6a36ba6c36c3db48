import type { PageInput } from "../src/api/page";

const open = { open: true, message: null };

export const sampleInput: PageInput = {
  site: {
    publicUrl: "https://example.com",
    demo: false,
    payments: "off",
    openings: {
      "speaker-applications": open,
      "judge-applications": open,
      "sponsor-applications": open,
      "professional-demo-registrations": open,
      "competition-entries": open,
      "waitlist-signups": open,
      "sponsor-inquiries": open,
    },
  },
  content: {
    event: { name: "Lash & Brow Showcase", shortName: "Showcase", dates: "March 28-29, 2026", city: "Jersey City, NJ", organiser: "Sample" },
    contact: { email: "hello@example.com" },
  },
};

/** Every address that a visitor may come to, and one that nobody should. */
export const publicPages = [
  "/", "/about", "/competition", "/speakers-judges", "/sponsors", "/venue", "/schedule", "/faq",
  "/apply-speaker", "/apply-judge", "/apply-sponsor", "/apply-professional-demo", "/enter-competition", "/artist-portal", "/release", "/score-sheet", "/judge",
  "/privacy", "/terms", "/refund-policy", "/contact",
];
export const unknownPage = "/no-such-page";

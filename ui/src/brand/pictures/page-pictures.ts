/** The content of a page's share image. */
export interface PagePicture {
  title: string;
  /** The name of a mark or a poster. */
  art: string;
}

/** The pages that have a share image of their own, `/share-PAGE.png`; `make-pictures.mjs` draws them. */
export const pagePictures: Record<string, PagePicture> = {
  "about": { title: "About the Showcase", art: "lash-lift" },
  "competition": { title: "Competition Categories", art: "creative-lashes" },
  "speakers-judges": { title: "Speakers & Judges", art: "talks" },
  "sponsors": { title: "Organize Your Event", art: "products" },
  "venue": { title: "Lakeside Venue", art: "skyline" },
  "schedule": { title: "Schedule", art: "hours" },
  "faq": { title: "FAQ", art: "lamination" },
  "apply-speaker": { title: "Apply as Speaker", art: "business" },
  "apply-judge": { title: "Apply as Judge", art: "awards" },
  "apply-sponsor": { title: "Sponsor Application", art: "gala" },
  "apply-professional-demo": { title: "Professional Demo Registration", art: "live-brows" },
  "enter-competition": { title: "Enter the Competition", art: "classic" },
  "contact": { title: "Contact", art: "breakfast" },
};

/** The share image of a page: its own if the page still has the title that is drawn there, otherwise the site's. */
export function pictureOf(page: string, title: string, ofSite: string): string {
  const own = pagePictures[page];
  return ofSite === "/share.png" && own && title.includes(own.title) ? `/share-${page}.png` : ofSite;
}

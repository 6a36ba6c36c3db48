/** What a page's share image says and shows; the name of a mark or of a poster. */
export interface PagePicture {
  title: string;
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

/** The picture of a page's shared link: its own as long as its words are true, else the site's. */
export function pictureOf(page: string, title: string, ofSite: string): string {
  const own = pagePictures[page];
  return ofSite === "/share.png" && own && title.includes(own.title) ? `/share-${page}.png` : ofSite;
}

import { Jury } from "../shared/jury";
import { CategoryCarousel } from "./category-carousel";
import { Closing } from "./closing";
import { Hero } from "./hero";
import { Pass } from "./pass";
import { Quotation } from "./quotation";
import { Recognition } from "./recognition";
import { WaitlistSection } from "./waitlist-section";
import { Ways } from "./ways";
import { Moments } from "./moments";
import { Winners } from "./winners";
import type { Data } from "./data.server";

export function View({ data: page }: { data: Data }) {
  const { home } = page;
  return (
    <>
      <Hero {...page.hero} facts={page.facts} fee={page.prices.fee} thanks={page.after} />
      {page.after ? <Winners {...page.after} year={page.year} /> : <Ways cards={home.cards} sponsorsCard={home.sponsorsCard} days={page.days} />}
      {page.after && <Moments galleryTitle={page.after.galleryTitle} gallery={page.after.gallery} />}
      <CategoryCarousel {...home.carousel} over={page.after !== null} />
      <Recognition {...home.recognition} year={page.year} slideshow={home.slideshow} over={page.after !== null} />
      <Jury {...page.jury} />
      {home.quote && <Quotation {...home.quote} />}
      {!page.after && <Pass opensSoon={page.opensSoon} pass={page.pass} prices={page.prices} />}
      {!page.after && <Closing {...home.closing} waitlist={home.waitlist.title} />}
      <WaitlistSection {...home.waitlist} steps={page.waitlistSteps} {...(page.after && { title: page.after.nextTitle, text: page.after.nextText })} />
    </>
  );
}

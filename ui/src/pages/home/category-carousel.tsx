import type { Carousel } from "../../lib/content-types";
import { Art } from "../../brand/art";
import { CarouselControls } from "../../kit/carousel-controls";
import { Island } from "../../kit/island";
import { ActionLink } from "../../kit/site-link";

interface CategoryCarouselProps extends Carousel {
  /** After the event there is nothing left to enter. */
  over: boolean;
}

export function CategoryCarousel({ title, introduction, button, items, over }: CategoryCarouselProps) {
  const controls = { track: "category-slides", labelledBy: "categories-title", titles: items.map((item) => item.title), interval: 4000 };
  return (
    <section className="section tint categories" aria-labelledby="categories-title" aria-roledescription="carousel">
      <div className="frame">
        <div className="section-head">
          <h2 id="categories-title">{title}</h2>
          {!over && <p className="lead">{introduction}</p>}
        </div>
        <div className="carousel-area">
          {/* By keyboard its arrows scroll it. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div id="category-slides" className="category-slides track" role="group" aria-labelledby="categories-title" tabIndex={0}>
            {items.map((item, index) => (
              <div key={item.id} role="group" aria-roledescription="slide" aria-label={`${index + 1} of ${items.length}`} className="category-slide" data-shown={index === 0 ? "" : undefined}>
                <div className="category-art"><Art picture={item} /></div>
                <div className="category-words">
                  <p className="category-number figures" aria-hidden="true">{index + 1}<span>/{items.length}</span></p>
                  <h3 className="display">{item.title}</h3>
                  <p className="lead">{item.description}</p>
                </div>
              </div>
            ))}
          </div>
          <div className="category-foot">
            {!over && <ActionLink href={button.href}>{button.label}</ActionLink>}
            <Island name="carousel-controls" of={CarouselControls} props={controls} />
          </div>
        </div>
      </div>
    </section>
  );
}

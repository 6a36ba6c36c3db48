import type { Carousel } from "../../lib/content-types";
import { Art } from "../../brand/art";
import { useCarousel } from "../../kit/carousel";
import { CarouselControls } from "../../kit/carousel-controls";
import { ActionLink } from "../../kit/site-link";

interface CategoryCarouselProps extends Carousel {
  /** After the event there is nothing left to enter. */
  over: boolean;
}

export function CategoryCarousel({ title, introduction, button, items, over }: CategoryCarouselProps) {
  const carousel = useCarousel(items.length, 4000);
  return (
    <section className="section tint categories" aria-labelledby="categories-title" aria-roledescription="carousel">
      <div className="frame">
        <div className="section-head">
          <h2 id="categories-title">{title}</h2>
          {!over && <p className="lead">{introduction}</p>}
        </div>
        <div className="category-stage" {...carousel.area}>
          <div className="category-slides">
            {items.map((item, index) => (
              <div key={item.id} role="group" aria-roledescription="slide" aria-label={`${index + 1} of ${items.length}`} className={index === carousel.index ? "category-slide is-shown" : "category-slide"}>
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
            {!over && <ActionLink href={button.href} fullLoad form="competition-entries">{button.label}</ActionLink>}
            <CarouselControls carousel={carousel} labelledBy="categories-title" titles={items.map((item) => item.title)} />
          </div>
        </div>
      </div>
    </section>
  );
}

import { useEffect, useRef } from "react";
import type { Recognition as RecognitionContent, Slideshow as SlideshowContent } from "../../lib/content-types";
import { Art } from "../../brand/art";
import { useCarousel } from "../../kit/carousel";
import { CarouselControls } from "../../kit/carousel-controls";
import { Laurel } from "../../brand/laurel-picture";

interface RecognitionProps extends RecognitionContent {
  year: string;
  slideshow: SlideshowContent;
  /** After the event the winners have their own section, and only the slideshow is left here. */
  over: boolean;
}

export function Recognition({ title, text, points, image, alt, year, slideshow, over }: RecognitionProps) {
  if (over) return <section className="section dark recognition" aria-labelledby="slideshow-title"><Slideshow {...slideshow} /></section>;
  return (
    <section className="section dark recognition" aria-labelledby="recognition-title">
      <div className="frame recognition-head">
        <div className="laurel-place"><Laurel /><span className="display" aria-hidden="true">{year}</span></div>
        <div>
          <h2 id="recognition-title">{title}</h2>
          <p className="lead">{text}</p>
        </div>
        <ul className="recognition-points">{points.map((point) => <li key={point}>{point}</li>)}</ul>
      </div>
      {image && <div className="frame slideshow ceremony"><img className="picture" loading="lazy" sizes="100vw" {...image} alt={alt} /></div>}
      <Slideshow {...slideshow} />
    </section>
  );
}

function Slideshow({ title, introduction, slides }: SlideshowContent) {
  const carousel = useCarousel(slides.length, 3000);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.style.setProperty("--at", String(carousel.index)), [carousel.index]);
  return (
    <div className="frame slideshow" role="group" aria-roledescription="carousel" aria-labelledby="slideshow-title">
      <div className="slideshow-head">
        <h3 id="slideshow-title">{title}</h3>
        <p className="soft">{introduction}</p>
        <CarouselControls carousel={carousel} labelledBy="slideshow-title" titles={slides.map((slide) => slide.title)} />
      </div>
      <div className="slides-window" {...carousel.area}>
        <div ref={list} className="slides">
          {slides.map((slide, index) => (
            <div key={slide.id} role="group" aria-roledescription="slide" aria-label={`${index + 1} of ${slides.length}`} className={index === carousel.index ? "slide is-shown" : "slide"}>
              <figure>
                <Art picture={slide} />
                <figcaption>
                  <span className="eyebrow">{slide.category}</span>
                  <strong className="title">{slide.title}</strong>
                  <span className="soft">{slide.description}</span>
                </figcaption>
              </figure>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

import type { Recognition as RecognitionContent, Slideshow as SlideshowContent, After } from "../../lib/content-types";
import { Art } from "../../brand/art";
import { CarouselControls } from "../../kit/carousel-controls";
import { Island } from "../../kit/island";
import { Laurel } from "../../brand/laurel";

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
  const controls = { track: "slides", labelledBy: "slideshow-title", titles: slides.map((slide) => slide.title), interval: 3000 };
  return (
    <div className="slideshow carousel-area" role="group" aria-roledescription="carousel" aria-labelledby="slideshow-title">
      <div className="frame slideshow-head">
        <h3 id="slideshow-title">{title}</h3>
        <p className="soft">{introduction}</p>
        <Island name="carousel-controls" of={CarouselControls} props={controls} />
      </div>
      {/* By keyboard its arrows scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div id="slides" className="slides track" role="group" aria-labelledby="slideshow-title" tabIndex={0}>
        {slides.map((slide, index) => (
          <div key={slide.id} role="group" aria-roledescription="slide" aria-label={`${index + 1} of ${slides.length}`} className="slide" data-shown={index === 0 ? "" : undefined}>
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
  );
}

/** Photos of the event, once it is over. */
export function Moments({ galleryTitle, gallery }: Pick<After, "galleryTitle" | "gallery">) {
  if (gallery.length === 0) return null;
  return (
    <section className="section frame" aria-labelledby="moments-title">
      <h2 id="moments-title">{galleryTitle}</h2>
      <ul className="moments">
        {gallery.map(({ image, alt, caption }, index) => image && (
          <li key={index}>
            <figure>
              <img className="picture" loading="lazy" decoding="async" sizes="(min-width: 62rem) 33vw, (min-width: 40rem) 50vw, 100vw" {...image} alt={alt} />
              {caption && <figcaption>{caption}</figcaption>}
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface WinnersProps extends Pick<After, "winners" | "winnersTitle"> {
  year: string;
}

/** Who won what, once the event is over. */
export function Winners({ winners, winnersTitle, year }: WinnersProps) {
  if (winners.length === 0) return null;
  return (
    <section className="section dark" aria-labelledby="winners-title">
      <div className="frame">
        <div className="winners-head">
          <div className="laurel-place"><Laurel /><span className="display" aria-hidden="true">{year}</span></div>
          <h2 id="winners-title">{winnersTitle}</h2>
        </div>
        <dl className="winners">
          {winners.map(({ award, name, business }) => (
            <div key={award + name}>
              <dt className="eyebrow">{award}</dt>
              <dd className="winner">{name}</dd>
              {business && <dd className="soft">{business}</dd>}
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

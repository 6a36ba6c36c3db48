import { useCarousel } from "./carousel";
import { ArrowIcon } from "./arrow-icon";

interface CarouselControlsProps {
  /** The id of the element that the slides scroll in. */
  track: string;
  /** The id of the carousel's title. */
  labelledBy: string;
  /** The name of the slide that each dot leads to. */
  titles: string[];
  /** The time for which each slide is shown, in milliseconds. */
  interval: number;
}

/** The controls of a carousel, whose slides are part of the page's HTML. */
export function CarouselControls({ track, labelledBy, titles, interval }: CarouselControlsProps) {
  const carousel = useCarousel(track, titles.length, interval);
  return (
    <div className="carousel-controls" role="group" aria-labelledby={labelledBy}>
      <button type="button" className="play-button" onClick={carousel.toggle}>
        {carousel.playing ? "Pause" : "Play"}
      </button>
      <button type="button" className="round-button turned" aria-label="Previous" onClick={carousel.previous}><ArrowIcon /></button>
      <button type="button" className="round-button" aria-label="Next" onClick={carousel.next}><ArrowIcon /></button>
      <ol className="dots">
        {titles.map((title, index) => (
          <li key={title}>
            <button type="button" className="dot" aria-label={`Show ${title}`} aria-current={index === carousel.index} onClick={() => carousel.show(index)} />
          </li>
        ))}
      </ol>
    </div>
  );
}

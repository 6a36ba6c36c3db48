import { useCallback, useEffect, useRef, useState } from "react";
import { ArrowIcon } from "./icon";

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

const swipeThreshold = 50;

interface Carousel {
  index: number;
  /** Whether it steps by itself, except while somebody looks closer. */
  playing: boolean;
  show: (index: number) => void;
  next: () => void;
  previous: () => void;
  toggle: () => void;
}

/**
 * Steps through the slides of a scroll-snap track, round and round, by itself every `interval` ms unless somebody looks
 * closer: with the pointer over the track's `.carousel-area`, or with the keyboard's focus in it.
 */
function useCarousel(trackId: string, count: number, interval: number): Carousel {
  const [index, setIndex] = useState(0);
  const [stopped, setStopped] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  /** Where a scroll that was asked for leads; the slides on the way there are not shown. */
  const target = useRef<number>(undefined);
  const running = !stopped && !hovered && !focused;

  const show = useCallback((wanted: number) => {
    const track = document.getElementById(trackId);
    const slide = track?.children[wrapped(wanted, count)];
    if (!track || !(slide instanceof HTMLElement)) return;
    target.current = wrapped(wanted, count);
    setIndex(target.current);
    track.scrollTo({ left: slide.offsetLeft - startOf(track), behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
  }, [trackId, count]);

  // Those who ask for less motion start it themselves.
  useEffect(() => setStopped(matchMedia("(prefers-reduced-motion: reduce)").matches), []);

  useEffect(() => {
    const slides = document.getElementById(trackId)?.children ?? [];
    for (const [at, slide] of [...slides].entries()) slide.toggleAttribute("data-shown", at === index);
  }, [trackId, index]);

  useEffect(() => {
    if (!running || count < 2) return;
    const timer = setTimeout(() => show(index + 1), interval);
    return () => clearTimeout(timer);
  }, [running, count, interval, index, show]);

  useEffect(() => {
    const track = document.getElementById(trackId);
    const area = track?.closest(".carousel-area");
    if (!track || !area) return;
    const listening = new AbortController();
    const on = <Name extends keyof HTMLElementEventMap>(place: Element, names: Name[], listener: (event: HTMLElementEventMap[Name]) => void) => {
      for (const name of names) place.addEventListener(name, listener as EventListener, { signal: listening.signal, passive: true });
    };
    let swipe: { from: number; index: number } | undefined;
    // A swipe during a scroll goes on from the slide that the scroll leads to.
    const begin = (from: number) => (swipe = { from, index: target.current ?? nearestSlide(track) });
    const end = (to: number) => {
      const step = swipeStep(swipe?.from, to);
      if (swipe && step !== 0) show(swipe.index + step);
      swipe = undefined;
    };

    on(track, ["scroll"], () => {
      const nearest = nearestSlide(track);
      if (target.current !== undefined && target.current !== nearest) return;
      target.current = undefined;
      setIndex(nearest);
    });
    on(track, ["touchstart"], ({ touches }) => touches[0] && begin(touches[0].clientX));
    // Whoever scrolls decides where to.
    on(track, ["wheel", "touchstart", "keydown"], () => (target.current = undefined));
    on(track, ["touchend"], ({ changedTouches }) => changedTouches[0] && end(changedTouches[0].clientX));
    on(track, ["touchcancel"], () => (swipe = undefined));
    on(track, ["pointerdown"], ({ pointerType, clientX }) => pointerType !== "touch" && begin(clientX));
    on(track, ["pointerup"], ({ pointerType, clientX }) => pointerType !== "touch" && end(clientX));
    on(area as HTMLElement, ["pointerenter"], ({ pointerType }) => pointerType === "mouse" && setHovered(true));
    on(area as HTMLElement, ["pointerleave"], () => setHovered(false));
    // Only focus that is visible: a control that was pressed by pointer keeps the focus, and nobody is reading there.
    on(area as HTMLElement, ["focusin"], (event) => setFocused((event.target as Element).matches(":focus-visible")));
    on(area as HTMLElement, ["focusout"], ({ relatedTarget }) => setFocused(area.contains(relatedTarget as Node | null)));
    return () => listening.abort();
  }, [trackId, show]);

  return {
    index,
    playing: !stopped,
    show,
    next: () => show(index + 1),
    previous: () => show(index - 1),
    toggle: () => {
      setStopped(!stopped);
      // "Play" plays at once, although the pointer or the focus is still on it.
      setHovered(false);
      setFocused(false);
    },
  };
}

export function wrapped(index: number, count: number): number {
  return count === 0 ? 0 : ((index % count) + count) % count;
}

/** 1 for a swipe to the left of more than 50 px, -1 for one to the right, else 0. */
function swipeStep(from: number | undefined, to: number): -1 | 0 | 1 {
  if (from === undefined || Math.abs(to - from) <= swipeThreshold) return 0;
  return to < from ? 1 : -1;
}

/** Where a slide lies that is scrolled to the start. */
function startOf(track: HTMLElement): number {
  return track.offsetLeft + (Number.parseFloat(getComputedStyle(track).scrollPaddingInlineStart) || 0);
}

function nearestSlide(track: HTMLElement): number {
  const start = startOf(track) + track.scrollLeft;
  const distances = [...track.children].map((slide) => Math.abs((slide as HTMLElement).offsetLeft - start));
  return distances.indexOf(Math.min(...distances));
}

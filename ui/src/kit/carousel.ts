import { useEffect, useRef, useState, type FocusEvent, type PointerEvent } from "react";

const swipeThreshold = 50;

export interface Carousel {
  index: number;
  /** Whether it steps by itself, except while somebody looks closer. */
  playing: boolean;
  show: (index: number) => void;
  next: () => void;
  previous: () => void;
  toggle: () => void;
  /** For the element around the slides: pauses under the pointer and under keyboard focus, follows a swipe. */
  area: {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: () => void;
    onPointerDown: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: () => void;
    onFocus: (event: FocusEvent<Element>) => void;
    onBlur: (event: FocusEvent) => void;
  };
}

/** Steps through `count` slides, round and round, by itself every `interval` ms unless somebody looks closer. */
export function useCarousel(count: number, interval: number): Carousel {
  const [index, setIndex] = useState(0);
  const [stopped, setStopped] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const swipeStart = useRef<number>(undefined);
  const running = !stopped && !hovered && !focused;

  // Those who ask for less motion start it themselves.
  useEffect(() => setStopped(matchMedia("(prefers-reduced-motion: reduce)").matches), []);

  useEffect(() => {
    if (!running || count < 2) return;
    const timer = setInterval(() => setIndex((current) => wrapped(current + 1, count)), interval);
    return () => clearInterval(timer);
  }, [running, count, interval]);

  const move = (step: number) => setIndex((current) => wrapped(current + step, count));
  return {
    index,
    playing: !stopped,
    show: (target) => setIndex(wrapped(target, count)),
    next: () => move(1),
    previous: () => move(-1),
    toggle: () => {
      setStopped(!stopped);
      // "Play" plays at once, although the pointer or the focus is still on it.
      setHovered(false);
      setFocused(false);
    },
    area: {
      onPointerEnter: (event) => {
        if (event.pointerType === "mouse") setHovered(true);
      },
      onPointerLeave: () => setHovered(false),
      onPointerDown: (event) => {
        swipeStart.current = event.clientX;
      },
      onPointerUp: (event) => {
        const step = swipeStep(swipeStart.current, event.clientX);
        swipeStart.current = undefined;
        if (step !== 0) move(step);
      },
      onPointerCancel: () => {
        swipeStart.current = undefined;
      },
      // Only focus that is visible: a control that was pressed by pointer keeps the focus, and nobody is reading there.
      onFocus: (event) => setFocused(event.target.matches(":focus-visible")),
      onBlur: (event) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
  };
}

export function wrapped(index: number, count: number): number {
  return count === 0 ? 0 : ((index % count) + count) % count;
}

/** 1 for a swipe to the left of more than 50 px, -1 for one to the right, else 0. */
export function swipeStep(from: number | undefined, to: number): -1 | 0 | 1 {
  if (from === undefined || Math.abs(to - from) <= swipeThreshold) return 0;
  return to < from ? 1 : -1;
}

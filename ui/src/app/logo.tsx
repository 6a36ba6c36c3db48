import { useEffect, useRef, useState } from "react";
import vectors from "../brand/pictures/logo.svg";
import { whenIdle } from "../lib/when";

const sources = {
  onLight: [`${vectors}#dark`, "/logo-dark.png"],
  onDark: [`${vectors}#light`, "/logo-light.png"],
} as const;

/** The mark: a placeholder until it is there, another source when the first fails, the word when both do. */
export function Logo({ ground = "onLight" }: { ground?: keyof typeof sources }) {
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState(false);
  const image = useRef<HTMLImageElement>(null);

  // An image that came or failed before hydration has already fired its events.
  useEffect(() => {
    const element = image.current;
    if (!element?.complete) return;
    if (element.naturalWidth > 0) setLoaded(true);
    else setAttempt((current) => current + 1);
  }, [attempt]);

  const source = sources[ground][attempt];
  if (source === undefined) return <span className="logo-text">Logo</span>;
  return (
    <span className={loaded ? "logo" : "logo is-loading"}>
      <img ref={image} src={source} alt="" width={58} height={40} onLoad={() => setLoaded(true)} onError={() => setAttempt(attempt + 1)} />
    </span>
  );
}

/** Fetches all four logo images once the page has nothing better to do. */
export function usePreloadedLogos(): void {
  useEffect(() => whenIdle(() => {
    for (const source of Object.values(sources).flat()) new Image().src = source;
  }), []);
}

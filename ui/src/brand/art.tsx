import posters from "./pictures/posters.svg";
import type { Image } from "../lib/content-types";
import { isMark } from "./mark-names";
import { Mark } from "./mark";

const posterNames = new Set(["breakfast", "live-lashes", "talks", "arena", "products", "live-brows", "business", "awards", "gala", "lake", "skyline", "hours"]);

/** A picture that the organiser added, or the name of the drawing that stands in for it. */
export interface Picture {
  image: Image;
  alt: string;
  art: string;
}

interface ArtProps {
  picture: Picture;
  /** The drawing for a picture that names none. */
  fallback?: string;
  eager?: boolean;
}

/** The organiser's picture where there is one, else the drawing that stands in for it. */
export function Art({ picture, fallback = "awards", eager = false }: ArtProps) {
  const { image, alt, art } = picture;
  const loading = eager ? "eager" : "lazy";
  if (image) return <img className="picture" loading={loading} sizes="(min-width: 48rem) 50vw, 100vw" {...image} alt={alt} decoding="async" draggable={false} />;
  if (isMark(art)) return <Mark name={art} alt={alt} loading={loading} />;
  const name = art && posterNames.has(art) ? art : fallback;
  return <img className="picture" src={`${posters}#${name}`} alt={alt} width={300} height={300} loading={loading} decoding="async" draggable={false} />;
}

import type { ImgHTMLAttributes } from "react";
import type { Sizes } from "../lib/content-types";

interface Props extends Omit<ImgHTMLAttributes<HTMLImageElement>, "src" | "srcSet" | "width" | "height"> {
  image: Sizes;
  alt: string;
  /** How wide it is shown. */
  sizes: string;
}

/** A picture that the organiser added. Where its place has another shape, the point that matters stays in sight. */
export function Photo({ image: { srcSet, src, width, height, focus }, className = "picture", sizes, alt, ...rest }: Props) {
  // The content policy forbids inline styles: each quarter has a class. The middle is what nobody chose.
  const classes = !focus || (focus.x === 50 && focus.y === 50) ? className : `${className} focus-x-${quarter(focus.x)} focus-y-${quarter(focus.y)}`;
  // In this order: a browser that sees `src` before `sizes` and `srcset` loads it, too.
  return <img {...rest} className={classes} sizes={sizes} srcSet={srcSet} src={src} width={width} height={height} alt={alt} />;
}

function quarter(percent: number): number {
  return Math.round(percent / 25) * 25;
}

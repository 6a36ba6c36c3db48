/** The drawings of the eight categories; by themselves, so that a page can name one without the means to draw it. */
export const markNames = [
  "classic", "volume", "creative-lashes", "lash-lift",
  "lamination", "creative-brows", "natural-glam", "editorial",
] as const;

export type MarkName = (typeof markNames)[number];

export function isMark(name: string | undefined): name is MarkName {
  return (markNames as readonly (string | undefined)[]).includes(name);
}

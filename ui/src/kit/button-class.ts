/** "plain" is as high as the others, "text" as low as a line of text. */
export type ButtonLook = "primary" | "outline" | "plain" | "text";

/** For a link that looks like the button it acts as. */
export function buttonClass(look: ButtonLook, className = ""): string {
  const base = look === "text" ? "text-button" : `button button-${look}`;
  return className ? `${base} ${className}` : base;
}

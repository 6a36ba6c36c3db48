import { Fragment } from "react";

/** Text that may wrap after each slash. */
export function Breakable({ text }: { text: string }) {
  const [first, ...others] = text.split("/");
  return <>{first}{others.map((part, index) => <Fragment key={index}>/<wbr />{part}</Fragment>)}</>;
}

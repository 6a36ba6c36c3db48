import { Fragment } from "react";

/** Text in which a line may end after each slash. */
export function Breakable({ words }: { words: string }) {
  const [first, ...others] = words.split("/");
  return <>{first}{others.map((word) => <Fragment key={word}>/<wbr />{word}</Fragment>)}</>;
}

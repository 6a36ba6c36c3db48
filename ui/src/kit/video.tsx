import { useState } from "react";

interface Props {
  source: string;
  label: string;
  width: number;
  height: number;
}

/** A competitor's video. It has no captions: names must not be said in it, and what is left of it has no sound. */
export function Video({ source, label, width, height }: Props) {
  const [failed, setFailed] = useState("");
  if (failed === source) {
    return <p className="viewer-empty" role="alert">This browser cannot show the video. <button type="button" className="text-button" onClick={() => setFailed("")}>Try again</button>, or open the page in another browser, such as Safari or Chrome.</p>;
  }
  return (
    // eslint-disable-next-line jsx-a11y/media-has-caption
    <video
      className="portal-photo video" src={source} width={width} height={height} controls preload="metadata" playsInline aria-label={label}
      onError={() => setFailed(source)}
    />
  );
}

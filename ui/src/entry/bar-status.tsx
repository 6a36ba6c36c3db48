import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { dollars } from "../lib/money";

/** Where the bar has its button on other pages, it shows the step of the entry and what it costs. */
export function BarStatus({ step, cents }: { step: 1 | 2 | 3; cents?: number }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => setPlace(document.getElementById("bar-status")), []);
  return place && createPortal(
    <>
      <span>Step {step} of 3</span>
      {cents !== undefined && <strong>{dollars(cents)}</strong>}
    </>,
    place,
  );
}

import { useState } from "react";

/** Discards the typed answers after a confirmation. */
export function StartOver({ onStartOver }: { onStartOver: () => void }) {
  const [asked, setAsked] = useState(false);
  if (!asked) return <button type="button" className="button button-plain" onClick={() => setAsked(true)}>Start over</button>;
  return (
    <>
      {/* Takes the focus, because it replaces the button that was pressed. */}
      {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
      <button type="button" className="button button-outline" autoFocus onClick={onStartOver}>Discard what I typed</button>
      <button type="button" className="button button-plain" onClick={() => setAsked(false)}>Keep it</button>
    </>
  );
}

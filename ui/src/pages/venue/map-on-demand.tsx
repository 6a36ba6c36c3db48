import { useState } from "react";
import type { VenueMap } from "../../lib/content-types";
import { OutsideLink } from "../../kit/site-link";

/** A map from another company. It is loaded only when the visitor asks for it. */
export function MapOnDemand({ map }: { map: VenueMap }) {
  const [shown, setShown] = useState(false);
  return (
    <div className="map">
      {shown
        ? <iframe ref={takeFocus} src={map.embedUrl} title={map.embedTitle} loading="lazy" referrerPolicy="no-referrer" />
        : (
          <div className="map-place">
            <button type="button" className="button button-outline needs-script" onClick={() => setShown(true)}>Show the map</button>
            <p className="soft">The map loads from OpenStreetMap, which will see your visit.</p>
          </div>
        )}
      <p><OutsideLink href={map.searchUrl}>{map.searchLabel}</OutsideLink></p>
    </div>
  );
}

/** Moves the focus to the map, because the button that had it is gone. */
function takeFocus(frame: HTMLIFrameElement | null) {
  frame?.focus();
}

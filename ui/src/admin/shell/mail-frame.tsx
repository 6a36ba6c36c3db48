import { useState } from "react";
import { Button } from "../../kit/button";

const widths = { phone: "Phone", desktop: "Desktop" } as const;

/** An email as the recipient sees it, on a phone or a desktop; nothing in the frame can run or reach this page. */
export function MailFrame({ title, src }: { title: string; src: string }) {
  const [width, setWidth] = useState<keyof typeof widths>("desktop");
  return (
    <div className="mail-view">
      <p className="mail-widths">
        {Object.entries(widths).map(([value, label]) => (
          <Button key={value} look="text" aria-pressed={width === value} onClick={() => setWidth(value as keyof typeof widths)}>{label}</Button>
        ))}
      </p>
      <iframe className={`mail-frame mail-frame-${width}`} title={title} sandbox="" src={src} />
    </div>
  );
}

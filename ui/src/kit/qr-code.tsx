import encodeQR from "qr";
import { useMemo } from "react";

export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => qrPath(text), [text]);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}

/** Draws one square for each dark module, within a white border. */
export function qrPath(text: string): { path: string; size: number } {
  const code = encodeQR(text, "raw", { border: 3 });
  const path = code.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { path, size: code.length };
}

import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { optionsOf, Select } from "../../kit/select";
import { SectionHead } from "../shell/parts";
import { addressWith, useAddress } from "../shell/address";
import { useDraft } from "./api";
import { pageTitles } from "./fields";

/** In pixels. */
const widths = { phone: 390, desktop: 1280 } as const;

/** Shows any page of the draft at phone or desktop width, as of any day. */
export function PreviewPage() {
  const params = useAddress();
  const [, goTo] = useLocation();
  const { tag } = useDraft().saved;
  const page = params.get("page") ?? "home";
  const asOf = params.get("asOf") ?? "";
  const width = params.get("width") === "phone" || (params.get("width") === null && innerWidth < 700) ? "phone" : "desktop";
  const go = (changes: Parameters<typeof addressWith>[1]) => goTo(addressWith(params, changes), { replace: true });
  const query = new URLSearchParams({ ...(asOf && { asOf }), draft: tag });
  return (
    <>
      <SectionHead back={{ view: null, page: null, asOf: null, width: null }} backTo="All parts of the website" title="Preview" />
      <div className="site-preview-tools">
        <Select label="Page" options={optionsOf(pageTitles)} value={page} onChange={(event) => go({ page: event.target.value })} />
        <TextField label="As of" note="(optional)" type="date" value={asOf} onChange={(event) => go({ asOf: event.target.value })} />
        <p className="mail-widths is-always">
          {(["phone", "desktop"] as const).map((name) => <Button key={name} look="text" aria-pressed={width === name} onClick={() => go({ width: name })}>{name === "phone" ? "Phone" : "Desktop"}</Button>)}
        </p>
      </div>
      <Frame key={`${page} ${query}`} src={`/api/content/preview/${page}?${query}`} width={width} title={`Preview: ${pageTitles[page as keyof typeof pageTitles] ?? page}`} />
      <p className="soft measure">Nothing can be sent from here. Links lead to the previews of other pages.</p>
    </>
  );
}

/** An iframe of the device's width, scaled down to fit the page. */
function Frame({ src, width, title }: { src: string; width: keyof typeof widths; title: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [hasLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const scale = Math.min(1, (entry?.contentRect.width ?? widths[width]) / widths[width]);
      element.style.setProperty("--preview-scale", String(scale));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [width]);
  return (
    <div ref={place} className={`site-preview is-${width}`}>
      {!hasLoaded && <p className="loading" role="status">Loading the preview…</p>}
      <iframe title={title} src={src} sandbox="allow-same-origin" onLoad={() => setLoaded(true)} />
    </div>
  );
}

import type { After } from "../../lib/content-types";

/** Photos of the event, once it is over. */
export function Moments({ galleryTitle, gallery }: Pick<After, "galleryTitle" | "gallery">) {
  if (gallery.length === 0) return null;
  return (
    <section className="section frame" aria-labelledby="moments-title">
      <h2 id="moments-title">{galleryTitle}</h2>
      <ul className="moments">
        {gallery.map(({ image, alt, caption }, index) => image && (
          <li key={index}>
            <figure>
              <img className="picture" loading="lazy" decoding="async" sizes="(min-width: 62rem) 33vw, (min-width: 40rem) 50vw, 100vw" {...image} alt={alt} />
              {caption && <figcaption>{caption}</figcaption>}
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}

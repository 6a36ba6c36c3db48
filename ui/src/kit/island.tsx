import { Suspense, type ComponentType } from "react";

interface Props<PartProps extends object> {
  /** The name of the file that exports `of`, and its key in `app/islands.ts`. */
  name: string;
  of: ComponentType<PartProps>;
  /** Plain data: it is written into the page for the browser. */
  props: PartProps;
  /** Its code is loaded when the reader comes near, instead of at once. */
  whenNear?: boolean;
}

/**
 * A part of a page that reacts to its reader. The server renders it like everything else; the browser loads its code and
 * hydrates it. Everything outside of islands stays the HTML that the server sent.
 */
export function Island<PartProps extends object>({ name, of: Part, props, whenNear = false }: Props<PartProps>) {
  return (
    // A part that cannot be rendered leaves the rest of its page.
    <Suspense fallback={<p className="notice">This part of the page can't be shown at the moment. Please try again later.</p>}>
      <div className="part" data-island={name} data-when={whenNear ? "near" : undefined} data-props={JSON.stringify(props)}>
        <Part {...props} />
      </div>
    </Suspense>
  );
}

/** The names of the islands in a page's HTML whose code it needs at once. */
export function islandsIn(html: string): string[] {
  const found = [...html.matchAll(/ data-island="([a-z-]+)"( data-when="near")?/g)];
  return [...new Set(found.filter(([, , near]) => !near).map(([, name = ""]) => name))];
}

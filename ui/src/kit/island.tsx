import { Suspense, type ComponentType } from "react";

interface Props<PartProps extends object> {
  /** The name of the file that exports `of`, and its key in `app/islands.tsx`. */
  name: string;
  of: ComponentType<PartProps>;
  /** Plain data, because it is serialised into the HTML. */
  props: PartProps;
  /** Loads its code when it comes near the window, instead of at once. */
  whenNear?: boolean;
}

/**
 * A part of a page that reacts to the visitor. The server renders it like everything else; the browser loads its code and
 * hydrates it. Everything outside of islands stays the HTML that the server sent.
 */
export function Island<PartProps extends object>({ name, of: Part, props, whenNear = false }: Props<PartProps>) {
  return (
    // If the part cannot be rendered, the rest of the page still is.
    <Suspense fallback={<p className="notice">This part of the page can't be shown at the moment. Please try again later.</p>}>
      <div className="part" data-island={name} data-when={whenNear ? "near" : undefined} data-props={JSON.stringify(props)}>
        <Part {...props} />
      </div>
    </Suspense>
  );
}

/** The names of the islands in a page's HTML whose code it needs at once. */
export function islandsIn(html: string): string[] {
  // The page engine searches long texts for regular expressions slowly.
  const found = html.split(' data-island="').slice(1).map((rest) => {
    const name = rest.slice(0, rest.indexOf('"'));
    return { name, isNear: rest.startsWith('" data-when="near"', name.length) };
  });
  return [...new Set(found.filter(({ isNear }) => !isNear).map(({ name }) => name))];
}

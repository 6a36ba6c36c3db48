import { Component, useState, type ReactNode } from "react";
import { showFailure } from "./recovery";

interface Props {
  /** In place of the part that failed. */
  fallback?: ReactNode;
  /** The element, or its id, whose content stays as it is when the part fails, as text and links that still work. */
  keeps?: string | HTMLElement;
  children: ReactNode;
}

/**
 * Keeps a failure in one part from blanking the rest of the page. Without a `fallback` the page's own notice
 * says what happened and offers to reload.
 */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    const { fallback, keeps } = this.props;
    if (fallback === undefined) showFailure(keeps === undefined ? undefined : elementOf(keeps)?.querySelectorAll("button"));
  }

  override render(): ReactNode {
    const { fallback, keeps, children } = this.props;
    if (!this.state.failed) return children;
    return <>{fallback}{keeps && <Kept from={keeps} />}</>;
  }
}

/** A copy of what the server rendered, taken while it is still there: React removes it after this render. */
function Kept({ from }: { from: string | HTMLElement }) {
  const [copies] = useState(() => [...(elementOf(from)?.childNodes ?? [])].map((node) => node.cloneNode(true)));
  return <div className="kept" ref={(place) => place?.replaceChildren(...copies)} />;
}

function elementOf(place: string | HTMLElement): HTMLElement | null {
  return typeof place === "string" ? document.getElementById(place) : place;
}

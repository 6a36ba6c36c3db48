import { createElement, useEffect, useMemo, useSyncExternalStore, type ComponentType, type ReactNode } from "react";
import { Router } from "wouter";
import { ErrorBoundary } from "../kit/error-boundary";
import { ShellContext, useShell } from "../lib/shell-context";
import { subscribeToToasts, toastArea } from "../kit/toast-store";
import { Tooltip } from "../kit/tooltip";
import { Navigation } from "./navigation";
import type { Navigator, Shown } from "./navigator";
import { ChatIcon } from "./forms-menu";

export type Source = Pick<Navigator, "subscribe" | "shown" | "useLocation">;

/** The parts of the site that a page's components can use. */
export function SiteContext({ source, children }: { source: Source; children: ReactNode }) {
  const { document } = useSyncExternalStore(source.subscribe, source.shown, source.shown);
  return (
    <Router hook={source.useLocation} ssrPath={document.path}>
      <ShellContext value={document.shell}>{children}</ShellContext>
    </Router>
  );
}

/** The whole visible site: the shell, and in it the page that is shown now. `footer` is HTML, the same on every page. */
export function Site({ source, footer }: { source: Source; footer: string }) {
  const { document, html, module } = useSyncExternalStore(source.subscribe, source.shown, source.shown);
  const toasts = useSyncExternalStore(subscribeToToasts, toastArea, () => null);
  const { demo } = document.shell;
  useEffect(markHydrated, []);
  return (
    <SiteContext source={source}>
      <ErrorBoundary keeps="app">
        <a className="skip-link" href="#content">Skip to content</a>
        {demo && (
          <aside className="demo-banner" aria-label="Demonstration">Demonstration: nothing here is real, no card is charged.{demo.asOf && ` Shown as of ${demo.asOf}.`}</aside>
        )}
        {module ? <OwnFrame View={module.View as ComponentType<{ data: unknown }>} data={document.view} /> : (
          <>
            <Navigation />
            <ServerHtml key={document.path} as="main" id="content" html={html} />
            <ServerHtml as="footer" id="footer" className="footer dark" html={footer} />
            <ChatButton />
          </>
        )}
        {toasts && createElement(toasts)}
      </ErrorBoundary>
    </SiteContext>
  );
}

interface ServerHtmlProps {
  as: "main" | "footer";
  id: string;
  className?: string;
  html: string;
}

/** HTML that React made on the server, of escaped content. The browser has no code for it, except for its islands. */
function ServerHtml({ as: Element, html, ...rest }: ServerHtmlProps) {
  // For another object with the same text React would write it again, and the islands in it would be lost.
  const inner = useMemo(() => ({ __html: html }), [html]);
  // eslint-disable-next-line no-restricted-syntax
  return <Element {...rest} dangerouslySetInnerHTML={inner} suppressHydrationWarning />;
}

/** For those who wait until the page answers, such as tests. */
function markHydrated(): void {
  document.getElementById("app")!.dataset.live = "";
}

function OwnFrame({ View, data }: { View: ComponentType<{ data: unknown }>; data: unknown }) {
  return <View data={data} />;
}

/** A page that never changes, for the server. */
export function still(shown: Shown): Source {
  return { subscribe: () => () => {}, shown: () => shown, useLocation: () => [shown.document.path, () => {}] };
}

function ChatButton() {
  const { chat } = useShell();
  if (!chat) return null;
  return (
    <aside className="chat-place" aria-label="Chat">
      <Tooltip text={chat.label}>
        {/* The tooltip says the link's own name: as its description it would be read twice. */}
        {() => (
          <a className="chat-button" href={chat.href} target="_blank" rel="noopener noreferrer" aria-label={`${chat.label} (opens in a new tab)`}>
            <ChatIcon />
          </a>
        )}
      </Tooltip>
    </aside>
  );
}

import { useSyncExternalStore, type ComponentType } from "react";
import { Router, type BaseLocationHook } from "wouter";
import { ErrorBoundary } from "../kit/error-boundary";
import { ShellContext } from "../lib/shell-context";
import { Toasts } from "../kit/toast";
import { ChatButton } from "./chat-button";
import { Footer } from "./footer";
import { Navigation } from "./navigation";
import type { Navigator, Shown } from "./navigator";
import { PassBand } from "./pass-band";

type Source = Pick<Navigator, "subscribe" | "shown" | "navigate">;

/** The whole visible site: the shell, and in it the page that is shown now. */
export function Site({ source }: { source: Source }) {
  const { module, document } = useSyncExternalStore(source.subscribe, source.shown, source.shown);
  const View = module.View as ComponentType<{ data: unknown }>;
  const useShownLocation: BaseLocationHook = () => [source.shown().path, source.navigate];
  return (
    <Router hook={useShownLocation} ssrPath={source.shown().path}>
      <ShellContext value={document.shell}>
        <ErrorBoundary keeps="app">
          <a className="skip-link" href="#content">Skip to content</a>
          {document.shell.demo && (
            <aside className="demo-banner" aria-label="Demonstration">Demonstration: nothing here is real, and no card is charged.{document.shell.demo.asOf && ` Shown as of ${document.shell.demo.asOf}.`}</aside>
          )}
          {module.ownFrame ? <View data={document.view} /> : (
            <>
              <Navigation />
              <main id="content" key={document.path}>
                <ErrorBoundary keeps="content"><View data={document.view} /></ErrorBoundary>
                <PassBand path={document.path} />
              </main>
              <Footer />
              <ChatButton />
            </>
          )}
          <Toasts />
        </ErrorBoundary>
      </ShellContext>
    </Router>
  );
}

/** A page that never changes, for the server. */
export function still(shown: Shown): Source {
  return { subscribe: () => () => {}, shown: () => shown, navigate: () => {} };
}

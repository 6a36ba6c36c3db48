import type { ReactNode } from "react";
import { Button } from "../../kit/button";
import { ErrorBoundary } from "../../kit/error-boundary";

/** One section of a page: when its code fails, the sections around it stay. */
export function SectionBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={<SectionFailed />}>{children}</ErrorBoundary>;
}

export function SectionFailed() {
  return (
    <div className="failure" role="alert">
      <p>This section could not be shown. Reload the page to try again.</p>
      <Button look="outline" onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}

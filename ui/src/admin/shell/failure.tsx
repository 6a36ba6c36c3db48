import type { ReactNode } from "react";
import { detailOf } from "../../lib/api-error";
import { ErrorBoundary } from "../../kit/error-boundary";

interface Props {
  error: unknown;
  onRetry: () => unknown;
  children: ReactNode;
}

/** Something could not be read: what, why if the server said so, and a way to try again. */
export function Failure({ error, onRetry, children }: Props) {
  const detail = detailOf(error);
  return (
    <div className="admin-failure" role="alert">
      <p>{children}{detail && ` ${detail}`}</p>
      <button type="button" className="button button-outline admin-button" onClick={() => void onRetry()}>Try again</button>
    </div>
  );
}

/** In place of a section whose code failed; the sections around it stay. */
export function SectionFailed() {
  return (
    <div className="admin-failure" role="alert">
      <p>This section could not be shown. Reload the page to try again.</p>
      <button type="button" className="button button-outline admin-button" onClick={() => location.reload()}>Reload</button>
    </div>
  );
}

/** One section of a page: when it fails, the others stay. */
export function Section({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={<SectionFailed />}>{children}</ErrorBoundary>;
}

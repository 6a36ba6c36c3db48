import type { ReactNode } from "react";
import { detailOf } from "../api/api-error";

interface Props {
  error: unknown;
  onRetry: () => unknown;
  children: ReactNode;
}

/** Something could not be read: what, why if the server said so, and a way to try again. */
export function Failure({ error, onRetry, children }: Props) {
  const detail = detailOf(error);
  return (
    <div className="desk-failure" role="alert">
      <p>{children}{detail && ` ${detail}`}</p>
      <button type="button" className="button button-outline desk-button" onClick={() => void onRetry()}>Try again</button>
    </div>
  );
}

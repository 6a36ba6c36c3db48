import type { ReactNode } from "react";
import { detailOf } from "../lib/api-error";
import { Button } from "./button";

/** A read as SWR gives it. */
export interface Read<Data> {
  data: Data | undefined;
  error: unknown;
  mutate: () => unknown;
}

interface LoadedProps<Data> {
  of: Read<Data>;
  /** "Loading the audit log…" Nothing is shown meanwhile if absent. */
  loading?: string;
  /** "The audit log could not be loaded." */
  failed: string;
  /** What to show in place of a failure that is an answer, such as "not found". */
  otherwise?: (error: unknown) => ReactNode;
  isEmpty?: (data: Data) => boolean;
  empty?: ReactNode;
  /** What was loaded before stays below a failure. Not for a read with `keepPreviousData`, whose data may be another key's. */
  keepsData?: boolean;
  children: (data: Data) => ReactNode;
}

/** A read of the server in each of its states: loading, failed, empty, and loaded. */
export function Loaded<Data>({ of: { data, error, mutate }, loading, failed, otherwise = () => undefined, isEmpty = () => false, empty, keepsData = false, children }: LoadedProps<Data>) {
  const shown = data === undefined ? undefined : isEmpty(data) ? empty : children(data);
  if (error !== undefined) return <>{otherwise(error) ?? <Failure error={error} onRetry={mutate}>{failed}</Failure>}{keepsData && shown}</>;
  if (data === undefined) return loading && <p className="loading">{loading}</p>;
  return shown;
}

interface FailureProps {
  error: unknown;
  onRetry: () => unknown;
  children: ReactNode;
}

/** Something could not be loaded: what, why if the server says so, and a way to try again. */
export function Failure({ error, onRetry, children }: FailureProps) {
  const detail = detailOf(error);
  return (
    <div className="failure" role="alert">
      <p>{children}{detail && ` ${detail}`}</p>
      <Button look="outline" onClick={() => void onRetry()}>Try again</Button>
    </div>
  );
}

import { useCallback, useEffect, useState, type ReactNode } from "react";
import { ApiError, detailOf } from "../lib/api-error";
import { Button } from "./button";

/** The result of a read: SWR's, or that of `useRead`. */
export interface Read<Data> {
  data: Data | undefined;
  error: unknown;
  mutate: () => unknown;
}

/** Reads once, without SWR, and again by `mutate`. `read` must be the same function at every render. `set` shows newer data. */
export function useRead<Data>(read: () => Promise<Data>): Read<Data> & { set: (data: Data) => void } {
  const [data, set] = useState<Data>();
  const [error, setError] = useState<unknown>();
  const mutate = useCallback(() => {
    setError(undefined);
    read().then(set, setError);
  }, [read]);
  useEffect(mutate, [mutate]);
  return { data, error, mutate, set };
}

interface LoadedProps<Data> {
  of: Read<Data>;
  /** What is shown while loading, such as "Loading the audit log…"; nothing if absent. */
  loading?: ReactNode;
  /** The text of a failure, such as "The audit log could not be loaded." */
  failed: string;
  /** In place of a failure, if there is no such thing. */
  missing?: ReactNode;
  isEmpty?: (data: Data) => boolean;
  empty?: ReactNode;
  /** Keeps showing the earlier data below a failure. Not for a read with `keepPreviousData`, whose data may belong to another key. */
  keepsData?: boolean;
  children: (data: Data) => ReactNode;
}

/** Shows a read in each of its states: loading, failed, empty or loaded. */
export function Loaded<Data>({ of: { data, error, mutate }, loading, failed, missing, isEmpty = () => false, empty, keepsData = false, children }: LoadedProps<Data>) {
  const shown = data === undefined ? undefined : isEmpty(data) ? empty : children(data);
  const isMissing = missing !== undefined && error instanceof ApiError && error.status === 404;
  if (error !== undefined) return <>{isMissing ? missing : <Failure error={error} onRetry={mutate}>{failed}</Failure>}{keepsData && shown}</>;
  if (data === undefined) return typeof loading === "string" ? <p className="loading">{loading}</p> : loading;
  return shown;
}

interface FailureProps {
  error: unknown;
  onRetry: () => unknown;
  children: ReactNode;
}

/** Says what could not be loaded and, if the server gives a reason, why, with a button to try again. */
export function Failure({ error, onRetry, children }: FailureProps) {
  const detail = detailOf(error);
  return (
    <div className="failure" role="alert">
      <p>{children}{detail && ` ${detail}`}</p>
      <Button look="outline" onClick={() => void onRetry()}>Try again</Button>
    </div>
  );
}

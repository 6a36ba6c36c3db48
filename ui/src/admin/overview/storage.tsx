import { useId } from "react";
import useSWR from "swr";
import type { Key } from "../../lib/swr-settings";
import { Failure } from "../shell/failure";
import { storageSentences, type StorageUse } from "./storage-sentences";

export const storageKey: Key = ["/api", "storage"];

/** How large the database is, how it grows, and what takes the space. */
export function Storage() {
  const id = useId();
  const { data, error, mutate } = useSWR<StorageUse, unknown>(storageKey);
  if (error !== undefined) return <Failure error={error} onRetry={() => mutate()}>The size of the database could not be read.</Failure>;
  return (
    <section className="admin-part" aria-labelledby={id}>
      <h2 id={id}>Storage</h2>
      <p className="figures">{data ? storageSentences(data, new Date().toISOString().slice(0, 10)) : <span className="soft">&ndash;</span>}</p>
    </section>
  );
}

import { Loaded } from "../../kit/loaded";
import { FoldedPart } from "../shell/folded-part";
import { useStorage } from "./api";
import { storageSentences } from "./storage-sentences";
import { serverNow } from "../../lib/server-clock";

/** The size of the database, how it grows, and what takes the space. */
export function Storage() {
  return (
    <FoldedPart title="Storage" className="admin-part">
      <Loaded of={useStorage()} loading="Loading the size…" failed="The size of the database could not be loaded." keepsData>
        {(storage) => <p className="figures">{storageSentences(storage, new Date(serverNow()).toISOString().slice(0, 10))}</p>}
      </Loaded>
    </FoldedPart>
  );
}

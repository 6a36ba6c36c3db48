import { Loaded } from "../../kit/loaded";
import { FoldedPart } from "../shell/folded-part";
import { useStorage } from "./api";
import { storageSentences } from "./storage-sentences";

/** The size of the database, and what takes the space. */
export function Storage() {
  return (
    <FoldedPart title="Storage" className="admin-part">
      <Loaded of={useStorage()} loading="Loading the size…" failed="The size of the database could not be loaded." keepsData>
        {(storage) => <p className="figures">{storageSentences(storage)}</p>}
      </Loaded>
    </FoldedPart>
  );
}

import { useState } from "react";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { TextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import { formatBytes } from "../shell/numbers";
import { isStale } from "../shell/versioned";
import { ChangedElsewhere, SectionHead } from "../shell/parts";
import { useAction } from "../shell/use-form";
import { describePicture, removePicture, usePictures, useDraft, type Picture } from "./api";
import { placeOf } from "./places";

/** Every picture that was added: what it shows, and where it is used. */
export function PicturesPage() {
  const pictures = usePictures();
  return (
    <>
      <SectionHead back={{ view: null }} backTo="All parts of the website" title="Pictures" />
      <p className="measure">A picture is added where it is used: at a person, the venue, the home page, a slide or a sponsor.</p>
      <Loaded of={pictures} loading="Loading the pictures…" failed="The pictures could not be loaded." keepsData isEmpty={({ items }) => items.length === 0} empty={<p className="empty">No picture has been added yet.</p>}>
        {({ items }) => <ul className="site-pictures">{items.map((picture) => <li key={picture.name}><PictureCard picture={picture} onChanged={() => pictures.mutate()} /></li>)}</ul>}
      </Loaded>
    </>
  );
}

function PictureCard({ picture, onChanged }: { picture: Picture; onChanged: () => unknown }) {
  const { name, alt, width, height, bytes, usedBy } = picture;
  const { content } = useDraft().saved.value;
  const { busy, act } = useAction(async () => {
    await onChanged();
    setTyped(undefined);
    setChangedElsewhere(false);
  });
  /** Undefined if nothing was typed since the last save. */
  const [typed, setTyped] = useState<string>();
  const [isChangedElsewhere, setChangedElsewhere] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const description = typed?.trim() ?? alt;
  const places = [...new Set(usedBy.map((path) => placeOf(path, content)?.labels.join(" › ") ?? path))];
  const save = () => act(
    () => describePicture(picture, description),
    { title: "Saved", message: "The description is used from now on." }, "The description could not be saved. Please try again.",
    (error) => {
      if (!isStale(error)) return false;
      setChangedElsewhere(true);
      void onChanged();
      return true;
    },
  );
  const remove = () => act(
    () => removePicture(picture).then(() => setRemoving(false)),
    { title: "Picture Removed", message: `${name} is gone.` }, "The picture could not be removed. Please try again.",
  );
  return (
    <article className="card" aria-label={alt || name}>
      <img src={`/api/content/images/${name}`} alt={alt} width={width} height={height} loading="lazy" />
      <p className="soft figures">{width} × {height}, {formatBytes(bytes)}</p>
      <p>{places.length > 0 ? <>Used at {places.join("; ")}</> : "Not used anywhere."}</p>
      {isChangedElsewhere && <ChangedElsewhere what="description" differences={[{ label: "What it shows", stored: alt, yours: description }]} />}
      <TextField label="What it shows" maxLength={200} value={typed ?? alt} onChange={(event) => setTyped(event.target.value)} />
      <div className="card-buttons">
        {description !== alt && description !== "" && <Button look="outline" busy={busy} onClick={save}>Save the description</Button>}
        {usedBy.length === 0 && <Button look="outline" onClick={() => setRemoving(true)}>Remove…</Button>}
      </div>
      {isRemoving && (
        <Dialog small title="Remove this picture?" onClose={() => setRemoving(false)} closeLabel="Cancel" actions={<Button busy={busy} busyLabel="Removing…" onClick={remove}>Remove</Button>}>
          <p>Earlier versions of the website that show it can then no longer be restored.</p>
        </Dialog>
      )}
    </article>
  );
}

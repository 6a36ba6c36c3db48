import { useState } from "react";
import { Button } from "../../kit/button";
import type { Picture } from "./api";
import { isTable, textOf, type PictureField } from "./fields/field";
import { join, parentOf, valueAt, type Change } from "./paths";
import { PictureDialog } from "./picture-dialog";
import { draftStore, useProblem, useValue } from "./use-draft";
import { withLabels } from "./words";

/** The place of a picture: what is there, another one, or none. */
export function PictureView({ field, path }: { field: PictureField; path: string }) {
  const name = textOf(useValue(path));
  const problem = useProblem(path);
  const [isChoosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<Picture>();
  const table = valueAt(draftStore.content, parentOf(path));
  const person = isTable(table) ? textOf(table.name) : "";
  const place = (picture: Picture) => {
    const changes: Change[] = [{ path, value: picture.name }];
    if (field.alt) changes.push({ path: join(parentOf(path), field.alt), value: picture.alt });
    setChosen(picture);
    draftStore.edit(...changes);
    setChoosing(false);
    // At once, so that the preview has it.
    void draftStore.flush();
  };
  const isHere = chosen?.name === name;
  return (
    <fieldset className="site-picture">
      <legend>{field.label}</legend>
      {problem && <p className="field-error">{withLabels(problem, path)}</p>}
      <div className="site-picture-row">
        {name !== "" && <img className="site-picture-now" src={`/api/content/images/${name}`} alt={isHere ? chosen.alt : person || "The picture that is there now"} />}
        <div className="site-picture-buttons">
          <Button look="outline" aria-haspopup="dialog" onClick={() => setChoosing(true)}>{name === "" ? "Choose a photo…" : "Another photo…"}</Button>
          {name !== "" && <Button look="text" onClick={() => draftStore.edit({ path, value: "" })}>Take it away</Button>}
        </div>
      </div>
      {isChoosing && <PictureDialog title={person ? `${field.label} of ${person}` : field.label} shape={field.shape} whole={field.whole} alt={field.alt ? "" : person} onChosen={place} onClose={() => setChoosing(false)} />}
    </fieldset>
  );
}

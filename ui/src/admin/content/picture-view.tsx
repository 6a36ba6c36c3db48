import { useState } from "react";
import { createPortal } from "react-dom";
import { useWatch } from "react-hook-form";
import { Button } from "../../kit/button";
import type { Picture } from "./api";
import { isTable, textOf, type PictureField, type Value } from "./field-types";
import { useProblem, useValue } from "./field-view";
import { usePage } from "./page-form";
import { join, parentOf } from "./paths";
import { PictureDialog } from "./picture-dialog";

/** The place of a picture: what is there, another one, or none. */
export function PictureView({ field, path }: { field: PictureField; path: string }) {
  const { control, setValue } = usePage();
  const [value, change] = useValue(path);
  const name = textOf(value);
  const problem = useProblem(path);
  const [isChoosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<Picture>();
  const table = useWatch({ control, name: parentOf(path) }) as Value;
  const person = isTable(table) ? textOf(table.name) : "";
  const place = (picture: Picture) => {
    change(picture.name);
    if (field.alt) setValue(join(parentOf(path), field.alt), picture.alt);
    setChosen(picture);
    setChoosing(false);
  };
  const isHere = chosen?.name === name;
  return (
    <fieldset className="site-picture">
      <legend>{field.label}</legend>
      {problem && <p className="field-error">{problem}</p>}
      <div className="site-picture-row">
        {name !== "" && <img className="site-picture-now" src={`/api/content/images/${name}`} alt={isHere ? chosen.alt : person || "The picture that is there now"} />}
        <div className="site-picture-buttons">
          <Button look="outline" aria-haspopup="dialog" onClick={() => setChoosing(true)}>{name === "" ? "Choose a photo…" : "Another photo…"}</Button>
          {name !== "" && <Button look="text" onClick={() => change("")}>Take it away</Button>}
        </div>
      </div>
      {/* Outside the form: Enter in the dialog's field must not save the page. */}
      {isChoosing && createPortal(
        <PictureDialog title={person ? `${field.label} of ${person}` : field.label} shape={field.shape} whole={field.whole} alt={field.alt ? "" : person} onChosen={place} onClose={() => setChoosing(false)} />,
        document.querySelector(".admin") ?? document.body,
      )}
    </fieldset>
  );
}

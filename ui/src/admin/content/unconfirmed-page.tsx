import { Button } from "../../kit/button";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { textOf } from "./field-types";
import { valueAt } from "./paths";
import { SaveBar } from "./save-bar";
import { useAction } from "../shell/use-action";
import { saveChanges } from "./api";
import { useDraft } from "./draft-context";
import { placeOf } from "./places";

/** The texts of a former edition that name a date, to be confirmed or changed. */
export function UnconfirmedPage() {
  const { saved, set, reload } = useDraft();
  const { content, unconfirmed } = saved.value;
  const { act } = useAction();
  const confirm = (path: string) => act(
    async () => set(await saveChanges([{ path, value: valueAt(content, path) ?? "" }], saved.tag)),
    { title: "Confirmed", message: "The text stays as it is." }, "The text could not be confirmed. Please try again.", () => void reload(),
  );
  return (
    <>
      <p className="way-back"><AddressLink to={{ view: null }} arrives>All parts of the website</AddressLink></p>
      <header className="admin-head"><AdminTitle>To be confirmed</AdminTitle></header>
      {unconfirmed.length === 0 ? <p className="empty">Every text is confirmed.</p> : (
        <>
          <p className="measure">These texts are from the former edition and name a date. Its days were replaced where that was possible. Read each one; open it to change it.</p>
          <ul className="site-changes">
            {unconfirmed.map((path) => {
              const place = placeOf(path, content);
              const [part = "Other", ...labels] = place?.labels ?? [];
              const label = labels.join(" › ") || path;
              return (
                <li key={path}>
                  <p className="site-change-place">
                    <span className="eyebrow">{part}</span>
                    {place ? <AddressLink to={{ view: null, part: place.part, at: path }} arrives>{label}</AddressLink> : <span>{label}</span>}
                  </p>
                  <p className="site-change-values">{textOf(valueAt(content, path))}</p>
                  <p><Button look="text" onClick={() => confirm(path)}>It is right<span className="hidden-text">: {label}</span></Button></p>
                </li>
              );
            })}
          </ul>
        </>
      )}
      <SaveBar page="home" />
    </>
  );
}

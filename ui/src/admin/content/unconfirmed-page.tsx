import { Button } from "../../kit/button";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { textOf } from "./fields/field";
import { valueAt } from "./paths";
import { SaveBar } from "./save-bar";
import { confirmTexts, useContent, useUnconfirmed } from "./use-draft";
import { placeOf } from "./words";

/** The texts of a former edition that name a date, to be confirmed or changed. */
export function UnconfirmedPage() {
  const content = useContent();
  const unconfirmed = useUnconfirmed();
  return (
    <>
      <p className="way-back"><AddressLink to={{ view: null }} arrives>All parts of the website</AddressLink></p>
      <header className="admin-head"><AdminTitle>To be confirmed</AdminTitle></header>
      {unconfirmed.size === 0 ? <p className="empty">Every text is confirmed.</p> : (
        <>
          <p className="measure">These texts are from the former edition and name a date. Its days were replaced where that was possible. Read each one; open it to change it.</p>
          <ul className="site-changes">
            {[...unconfirmed].map((path) => {
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
                  <p><Button look="text" onClick={() => confirmTexts([path])}>It is right<span className="hidden-text">: {label}</span></Button></p>
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

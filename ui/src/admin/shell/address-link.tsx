import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react";
import { addressWith, useAddress, useGoTo, type Changes } from "./address";
import { arriveAtNextTitle } from "./arrival";

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "onClick"> {
  to: Changes;
  /** It leads to something with a title of its own. */
  arrives?: boolean;
  onGo?: () => void;
  children: ReactNode;
}

/** A link to the same section with other parameters. */
export function AddressLink({ to, arrives = false, onGo, children, ...rest }: Props) {
  const params = useAddress();
  const goTo = useGoTo();
  const address = addressWith(params, to);
  const go = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (arrives) arriveAtNextTitle();
    goTo(address);
    onGo?.();
  };
  return <a href={address} onClick={go} {...rest}>{children}</a>;
}

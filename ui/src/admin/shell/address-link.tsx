import type { AnchorHTMLAttributes, ReactNode } from "react";
import { Link } from "wouter";
import { addressWith, useAddress, type Changes } from "./address";
import { focusNextTitle } from "./admin-title";

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "onClick" | "className"> {
  to: Changes;
  className?: string;
  /** It leads to something with a title of its own. */
  arrives?: boolean;
  onGo?: () => void;
  children: ReactNode;
}

/** A link to the same section with other parameters. */
export function AddressLink({ to, arrives = false, onGo, ...rest }: Props) {
  const go = () => {
    if (arrives) focusNextTitle();
    onGo?.();
  };
  return <Link href={addressWith(useAddress(), to)} onClick={go} {...rest} />;
}

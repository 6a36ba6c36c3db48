import type { SignedInProps } from "./signed-in";

/** On the server nobody is signed in, and it needs no code for uploads. */
export function SignedIn(_props: SignedInProps) {
  return null;
}

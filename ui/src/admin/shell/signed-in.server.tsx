/** Nobody is signed in while the server renders. */
export const SignedIn = (): null => null;

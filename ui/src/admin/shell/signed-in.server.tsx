/** Nobody is signed in while the server renders. */
export const SignedIn = (): null => null;

export const ready = (): Promise<void> => Promise.resolve();

/** Nobody has paid while the server renders. */
export const SharePictures = (): null => null;

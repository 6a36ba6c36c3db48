/** The id of a person's place on the page of speakers and judges. */
export const personAnchor = (key: string) => `person-${key}`;

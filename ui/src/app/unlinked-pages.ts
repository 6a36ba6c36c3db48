/** Pages that few people come to, and with a full load each: the table that every visitor downloads need not have them. */
export const unlinkedPages = {
  "score-sheet": "/score-sheet",
  "judge": "/judge",
  "results": "/results",
} as const;

export type UnlinkedPage = keyof typeof unlinkedPages;

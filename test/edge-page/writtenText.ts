const words = 250

/** What the writer says in a turn. No two words are the same, so that a lost or a doubled one is seen. */
export const writtenText = (turn: number): string =>
  Array.from({ length: words }, (_, word) => `${turn}.${word}`).join(' ')

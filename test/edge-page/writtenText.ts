const words = 250

/** Returns the writer's text of a turn. All words differ, so that a lost or repeated one is noticed. */
export const writtenText = (turn: number): string =>
  Array.from({ length: words }, (_, word) => `${turn}.${word}`).join(' ')

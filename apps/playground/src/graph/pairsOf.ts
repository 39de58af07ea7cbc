/** Two slots in neighbouring rows, the upper one first. */
export type Pair = readonly [from: string, to: string]

/** The steps of ways that lead down, row by row. */
export const pairsOf = (ways: Iterable<readonly string[]>): Pair[] =>
  [...ways].flatMap((way) => way.slice(1).map((to, index): Pair => [way[index] ?? '', to]))

/**
 * Returns the 95 % interval of a rate: the score interval of Wilson (1927), which also holds for few runs, and for rates
 * of 0 and 1.
 */
export function wilson(passed: number, runs: number): readonly [low: number, high: number] {
  if (runs === 0) return [0, 1]
  const z = 1.959964
  const rate = passed / runs
  const middle = rate + z ** 2 / (2 * runs)
  const spread = z * Math.sqrt((rate * (1 - rate)) / runs + z ** 2 / (4 * runs ** 2))
  const scale = 1 + z ** 2 / runs
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}

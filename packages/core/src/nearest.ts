/**
 * Returns the name that was probably meant, if one is near enough. `max_iterations` and `maxIterations` count as the
 * same.
 */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const wanted = folded(given)
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = distanceOf(wanted, folded(name))
    if (distance <= Math.max(1, Math.floor(wanted.length / 3)) && distance < (best?.distance ?? Infinity)) {
      best = { name, distance }
    }
  }
  return best?.name
}

/** Folds a name for comparison. Long names are cut: names that differ in the first letters are not near. */
export const folded = (name: string): string =>
  name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '') || name.slice(0, 64)

/** Returns the number of letters that one of two names has and the other lacks. The order of letters does not count. */
const distanceOf = (a: string, b: string): number => Math.max(extra(a, b), extra(b, a))

const extra = (name: string, other: string): number =>
  [...other].reduce((left, letter) => left.replace(letter, ''), name).length

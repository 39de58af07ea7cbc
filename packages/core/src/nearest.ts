/** The name that was probably meant, if one is near enough. `max_iterations` and `maxIterations` count as the same. */
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

/** Long names are cut: what differs in the first letters is not near. */
export const folded = (name: string): string =>
  name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '') || name.slice(0, 64)

/** Letters to insert, remove, replace, or swap with their neighbour (Damerau and Levenshtein). */
function distanceOf(a: string, b: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swaps = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = swaps ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}

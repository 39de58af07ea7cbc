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
const folded = (name: string): string =>
  name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '') || name.slice(0, 64)

/** Letters to insert, remove or replace (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

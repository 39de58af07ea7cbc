/** The cuts of a stream: none, one every so many bytes, or random ones of a seed. */
export type Split = 'whole' | `${number}` | `random:${number}`

export function* chunks(bytes: Buffer, split: Split): Generator<Buffer> {
  const length = lengths(bytes, split)
  for (let start = 0; start < bytes.length; ) {
    const end = start + length()
    yield bytes.subarray(start, end)
    start = end
  }
}

function lengths(bytes: Buffer, split: Split): () => number {
  if (split === 'whole') return () => bytes.length
  if (!split.startsWith('random:')) return () => Number(split)
  const random = randomOf(Number(split.slice('random:'.length)))
  // Squared: most pieces are short, and some hold several events.
  return () => 1 + Math.floor(random() ** 2 * 400)
}

/** A linear congruential generator (Numerical Recipes): the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

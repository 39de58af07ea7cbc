/** Returns a generator of numbers from 0 to 1 that look random and are always the same for the same seed. */
export function chance(seed: string): () => number {
  let state = 2_166_136_261
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16_777_619)
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    state ^= state >>> 15
    return (state >>> 0) / 2 ** 32
  }
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Derives a code from a key, so that a repeated booking has the same code. */
export function confirmationCode(key: string): string {
  const random = chance(key)
  return Array.from({ length: 6 }, () => letters[Math.floor(random() * letters.length)]).join('')
}

/** Returns true for a delta of streaming text, which may contain part of a secret. */
export const isPiece = (event: unknown): boolean => typeOf(event) === 'delta'

/** An event or a state without what has come so far of a turn: that may end in the middle of a secret. */
export function withoutPieces<T>(given: T): T {
  if (typeOf(given) === 'drafted') return { ...given, text: '', reasoning: '' }
  const isState = typeof given === 'object' && given !== null && 'history' in given
  return isState ? { ...given, draft: undefined, drafted: undefined } : given
}

const typeOf = (given: unknown): unknown => (Object(given) as { type?: unknown }).type

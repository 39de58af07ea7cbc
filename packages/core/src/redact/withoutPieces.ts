/** Whether it is a piece of text that still streams. It may be one of a secret, which nobody knows by a part. */
export const isPiece = (event: unknown): boolean => typeOf(event) === 'delta'

/** An event or a state without what has come so far of a turn: that may end in the middle of a secret. */
export function withoutPieces<T>(given: T): T {
  if (typeOf(given) === 'drafted') return { ...given, text: '', reasoning: '' }
  const isState = typeof given === 'object' && given !== null && 'history' in given
  return isState ? { ...given, draft: undefined, drafted: undefined } : given
}

const typeOf = (given: unknown): unknown => (Object(given) as { type?: unknown }).type

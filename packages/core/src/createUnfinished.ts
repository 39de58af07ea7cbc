/** Text that comes in pieces, until an end is in it. However many there are, each is looked at once. */
export interface Unfinished {
  /** One piece more. Gives all there is, once an end is in it; the caller says next what is left of it. */
  add(piece: string): string | undefined
  /** What is left behind the last end. */
  keep(rest: string): void
  readonly length: number
}

/** `longest` is how many characters an end has at most. */
export function createUnfinished(end: RegExp, longest: number): Unfinished {
  let pieces: string[] = []
  let length = 0
  /** So much that the first part of an end may be in it. */
  let seam = ''
  return {
    add(piece) {
      const isOver = end.test(seam + piece)
      pieces.push(piece)
      length += piece.length
      seam = (seam + piece).slice(1 - longest)
      return isOver ? pieces.join('') : undefined
    },
    keep(rest) {
      pieces = [rest]
      ;({ length } = rest)
      seam = rest.slice(1 - longest)
    },
    get length() {
      return length
    },
  }
}

/** Text that arrives in chunks until it contains an end marker. Each chunk is scanned once. */
export interface Unfinished {
  /** Adds a chunk. Returns the whole text once it contains an end; the caller then passes the remainder to `keep`. */
  add(piece: string): string | undefined
  /** Stores the text after the last end. */
  keep(rest: string): void
  readonly length: number
}

/** Creates the text. `longest` is the maximum length of an end marker. */
export function createUnfinished(end: RegExp, longest: number): Unfinished {
  let pieces: string[] = []
  let length = 0
  /** Holds enough of the last chunk to find an end marker that began in it. */
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

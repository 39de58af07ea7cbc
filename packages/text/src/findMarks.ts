/** Looks for the marks of a format in a text that grows. */
export interface MarkFinder {
  read(piece: string): void
  readonly found: boolean
}

export function findMarks(marks: RegExp): MarkFinder {
  let line = ''
  let found = false
  return {
    get found() {
      return found
    },
    read(piece) {
      if (found) return
      line += piece
      found = marks.test(line)
      // A mark stands on one line; of a long one, the end is enough.
      line = line.slice(line.lastIndexOf('\n') + 1).slice(-longest)
    },
  }
}

const longest = 1_000

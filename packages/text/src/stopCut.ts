/** Ends a text at the first stop sequence, also where a server does not know them. */
export interface StopCut {
  /** The text up to a stop sequence, without what may still become one. */
  read(chunk: string): string
  /** The text is over: what was held back. */
  end(): string
  readonly done: boolean
}

export function stopCut(stops: readonly string[]): StopCut {
  let held = ''
  let done = false
  return {
    get done() {
      return done
    },
    read(chunk) {
      if (done) return ''
      const text = held + chunk
      const found = stops.map((stop) => text.indexOf(stop)).filter((index) => index >= 0)
      done = found.length > 0
      const to = done ? Math.min(...found) : text.length - longestStart(text, stops)
      held = done ? '' : text.slice(to)
      return text.slice(0, to)
    },
    end() {
      const rest = held
      held = ''
      return rest
    },
  }
}

/** Returns the number of characters at the end of a text that may begin a stop sequence. */
const longestStart = (text: string, stops: readonly string[]): number =>
  Math.max(0, ...stops.map((stop) => startAtEnd(text, stop)))

function startAtEnd(text: string, stop: string): number {
  let at = text.length - stop.length
  do at = text.indexOf(stop.charAt(0), at + 1)
  while (at !== -1 && !stop.startsWith(text.slice(at)))
  return at === -1 ? 0 : text.length - at
}

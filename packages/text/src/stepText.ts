import type { TextEvent } from './textEvent.ts'
import { createTextReader, type TextReaderOptions } from './textReader.ts'

/** The text of one step: cut at stop sequences, and read. */
export interface StepText {
  read(delta: string): readonly TextEvent[]
  end(): readonly TextEvent[]
  /** The model's text, up to a stop sequence. */
  readonly text: string
  /** True if the text is an answer as it is, as far as is known. */
  readonly isPlain: boolean
  /** The text without what was thought in tags, where such a text is an answer and has no mark. */
  readonly plainAnswer: string | undefined
  /** The step is whole, however its stream ends. */
  readonly done: boolean
  /** Nothing that still comes is of use, not even the end. */
  readonly complete: boolean
}

export interface StepTextOptions {
  readonly stops: readonly string[]
  readonly reading: TextReaderOptions
  /** Where a text without any mark of the format is an answer: what such marks look like. */
  readonly marks: RegExp | undefined
}

export function stepText({ stops, reading, marks }: StepTextOptions): StepText {
  const cut = stopCut(stops)
  const grace = graceFor(stops)
  const reader = createTextReader(reading)
  const finder = marks && findMarks(marks)
  let text = ''
  let head = ''
  let beyond = 0

  const take = (piece: string): readonly TextEvent[] => {
    text += piece
    // To look into a text that grows would copy it each time.
    if (head.length < 20) head += piece
    finder?.read(piece)
    return reader.done ? [] : reader.read(piece)
  }
  return {
    get text() {
      return text
    },
    get isPlain() {
      return finder?.found === false && !beginsThinking.test(head)
    },
    get plainAnswer() {
      const said = beginsThinking.test(text) ? (text.split(/<\/think(?:ing)?>/i).at(-1) ?? '').trim() : text.trim()
      return said !== '' && marks?.test(said) === false ? said : undefined
    },
    get done() {
      return cut.done || reader.done
    },
    get complete() {
      return cut.done || beyond > grace
    },
    read(delta) {
      const isDone = reader.done
      const piece = cut.read(delta)
      if (isDone) beyond += piece.trim() === '' ? delta.length : grace + 1
      return take(piece)
    },
    end: () => (reader.done ? [] : [...take(cut.end()), ...reader.end()]),
  }
}

const beginsThinking = /^\s*<think(?:ing)?>/i

/**
 * So many characters of white space or of a stop sequence may follow a step before its stream is given up. A server that
 * knows the stop sequences ends by itself in that time, and only at its end does it tell the tokens it used.
 */
const graceFor = (stops: readonly string[]): number => 16 + Math.max(0, ...stops.map(({ length }) => length))

/** Ends a text at the first stop sequence, also where a server does not know them. */
interface StopCut {
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

/** Looks for the marks of a format in a text that grows. */
interface MarkFinder {
  read(piece: string): void
  readonly found: boolean
}

function findMarks(marks: RegExp): MarkFinder {
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

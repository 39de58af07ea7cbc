import type { TextEvent } from './textEvent.ts'
import { createTextReader, type TextReader, type TextReaderOptions } from './textReader.ts'

export interface StepTextOptions {
  readonly stops: readonly string[]
  readonly reading: TextReaderOptions
  /** The pattern of the format's marks, if a text without any of them is an answer. */
  readonly marks: RegExp | undefined
}

/** The text of one step, cut at stop sequences and read. */
export class StepText {
  readonly #cut: StopCut
  readonly #grace: number
  readonly #reader: TextReader
  readonly #marks: RegExp | undefined
  readonly #finder: MarkFinder | undefined
  #head = ''
  #beyond = 0
  /** The model's text, up to a stop sequence. */
  text = ''

  constructor({ stops, reading, marks }: StepTextOptions) {
    this.#cut = new StopCut(stops)
    this.#grace = graceFor(stops)
    this.#reader = createTextReader(reading)
    this.#marks = marks
    this.#finder = marks && new MarkFinder(marks)
  }

  /** True if the text so far is an answer as it is. */
  get isPlain(): boolean {
    return this.#finder?.found === false && !beginsThinking.test(this.#head)
  }
  /** The text without reasoning in tags, if such a text is an answer and has no mark. */
  get plainAnswer(): string | undefined {
    const { text } = this
    const said = beginsThinking.test(text)
      ? (text.split(/<\/think(?:ing)?[ \t]{0,8}>/i).at(-1) ?? '').trim()
      : text.trim()
    return said !== '' && this.#marks?.test(said) === false ? said : undefined
  }
  /** True if the step is complete, however its stream ends. */
  get done(): boolean {
    return this.#cut.done || this.#reader.done
  }
  /** True if nothing further is needed, not even the end. */
  get complete(): boolean {
    return this.#cut.done || this.#beyond > this.#grace
  }

  read(delta: string): readonly TextEvent[] {
    const isDone = this.#reader.done
    const text = this.#cut.read(delta)
    if (isDone) this.#beyond += text.trim() === '' ? delta.length : this.#grace + 1
    return this.#take(text)
  }
  end(): readonly TextEvent[] {
    return this.#reader.done ? [] : [...this.#take(this.#cut.end()), ...this.#reader.end()]
  }

  #take(text: string): readonly TextEvent[] {
    this.text += text
    // Testing the growing text would copy it each time.
    if (this.#head.length < 100) this.#head += text
    this.#finder?.read(text)
    return this.#reader.done ? [] : this.#reader.read(text)
  }
}

const beginsThinking = /^\s*<think(?:ing)?(?:[ \t][^<>\r\n]{0,60})?>/i

/**
 * Returns how many characters of white space or of a stop sequence may follow a step before its stream is cancelled. A
 * server that knows the stop sequences ends by itself meanwhile, and reports its usage only at the end.
 */
const graceFor = (stops: readonly string[]): number => 16 + Math.max(0, ...stops.map(({ length }) => length))

/** Ends a text at the first stop sequence, also if a server does not know them. */
export class StopCut {
  readonly #stops: readonly string[]
  #held = ''
  done = false

  constructor(stops: readonly string[]) {
    this.#stops = stops
  }

  /** Returns the text up to a stop sequence, without an end that may still become one. */
  read(chunk: string): string {
    if (this.done) return ''
    const text = this.#held + chunk
    const found = this.#stops.map((stop) => text.indexOf(stop)).filter((index) => index >= 0)
    this.done = found.length > 0
    const to = this.done ? Math.min(...found) : text.length - longestStart(text, this.#stops)
    this.#held = this.done ? '' : text.slice(to)
    return text.slice(0, to)
  }
  /** Returns the held text, when the text is over. */
  end(): string {
    const rest = this.#held
    this.#held = ''
    return rest
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

/** Searches a growing text for the marks of a format. */
class MarkFinder {
  readonly #marks: RegExp
  #line = ''
  found = false

  constructor(marks: RegExp) {
    this.#marks = marks
  }

  read(text: string): void {
    if (this.found) return
    this.#line += text
    this.found = this.#marks.test(this.#line)
    // A mark is on one line, so the end of a long one suffices.
    this.#line = this.#line.slice(this.#line.lastIndexOf('\n') + 1).slice(-longest)
  }
}

const longest = 1_000

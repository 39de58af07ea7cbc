import { assertOption, checkArgument, DEV } from '@interleave/core/internal'
import type { TextFormat, TextLabels } from './format.ts'
import { bareAction, commandLine, guess } from './read/beginnings.ts'
import { codeLines } from './read/blocks.ts'
import { type Dialect, dialects, withLabels } from './read/dialect.ts'
import { plainName } from './read/names.ts'
import { prose } from './read/prose.ts'
import { Observations, Quotes } from './read/quotes.ts'
import { Scanner, type Token } from './read/scanner.ts'
import { type Part, Step } from './read/step.ts'
import type { InvalidCall, TextAction, TextEvent } from './textEvent.ts'

export interface TextReaderOptions {
  /** The format that the model was asked to write. `auto` detects it. */
  format?: TextFormat | 'auto'
  /** The names of the tools, if they are known: a written name counts as that of the closest tool. */
  tools?: readonly string[]
  /** Returns true if a field of a tool accepts only a string. Its text between tags stays as it is. */
  isText?: (tool: string, field: string) => boolean
  /** The names of tools that finish, such as `finish` in `Finish[42]`, in any case. */
  finish?: readonly string[]
  /** Further words before the parts of a step, next to those of the format. */
  labels?: Partial<TextLabels>
  /**
   * The treatment of an observation that the model writes itself, before any action. By default some formats tolerate
   * it, because recorded traces contain such texts. `refuse` returns no action after one: use it if you run the
   * actions.
   */
  ownObservation?: 'tolerate' | 'refuse'
}

/** Reads one step of a model in text mode, as it streams. It holds no text back that cannot become part of a label. */
export interface TextReader {
  /** Reads the next chunk of the text, split anywhere. */
  read(chunk: string): readonly TextEvent[]
  /** Ends the text, and returns the events that were held back. */
  end(): readonly TextEvent[]
  /** True if the step is complete. Later text of the model is dropped, so its stream can be cancelled. */
  readonly done: boolean
}

/** The reading of a whole text. */
export interface TextReading {
  readonly thought: string
  readonly actions: readonly TextAction[]
  readonly finish?: string
  /** Unreadable calls, next to those in `actions`. */
  readonly invalid?: readonly InvalidCall[]
  readonly problem?: string
}

/**
 * Reads one step as it streams. The first action or final answer counts: later text, above all an invented
 * `Observation:`, is dropped. The result does not depend on how the text is split. Other fields of the options are
 * ignored, so a row of recorded data with its `format` and `tools` can be passed as it is.
 *
 * - Labels may be bold, headings or numbered. In a text that begins with one, they may be lower case or list items.
 * - `search[a]` and `search[b]` on two lines are two actions; on one line they are one input.
 * - Labels in a code fence are the step if the fence opens the text or ends a step; after prose they are an example.
 * - A tag in a JSON string or in a `<parameter=…>` belongs to the argument. An unclosed `<parameter=…>` makes the call
 *   invalid, because its value may be cut off.
 * - JSON is repaired only if its meaning is unambiguous, and a string that was cut off is never completed.
 * - A number that no double can represent, such as `1e400`, stays a string.
 */
export function createTextReader(options: TextReaderOptions = {}): TextReader {
  checkArgument(options, 'options of createTextReader()', 'an object')
  const { tools, isText = () => false } = options
  const dialect = dialectOf(options)
  const step = new Step({ dialect, tools, isText, quotes: new Quotes() })
  const { out } = step
  const reading = readStep(step)
  const resume = (token?: Token): void => {
    if (!out.isClosed && reading.next(token).done) step.close()
  }
  reading.next()
  const scanner = new Scanner(dialect.marks, resume, observationsOf(options))
  return {
    read(chunk) {
      checkArgument(chunk, 'chunk of read()', 'a string')
      if (!out.isClosed) scanner.push(chunk)
      return out.collect()
    },
    end() {
      if (!out.isClosed) scanner.end()
      resume()
      return out.collect()
    },
    get done() {
      return out.isClosed
    },
  }
}

function observationsOf({ ownObservation, labels = {} }: TextReaderOptions): Observations | undefined {
  const words = ['Observation', labels.observation ?? ''].filter((word) => word !== '')
  return ownObservation === 'refuse' ? new Observations(words) : undefined
}

function dialectOf({ format = 'auto', finish, labels = {}, ownObservation }: TextReaderOptions): Dialect {
  assertOption(
    Object.hasOwn(dialects, format),
    DEV && `The \`format\` of createTextReader() must be "${Object.keys(dialects).join('" or "')}".`,
  )
  const known = dialects[format]
  const names = finish?.map(plainName)
  return {
    ...known,
    marks: withLabels(known.marks, labels),
    ...(names && { finish: names, finishCommands: names }),
    ...(ownObservation === 'refuse' && { observation: 'ends' }),
  }
}

/** Reads a whole text. */
export function readText(text: string, options: TextReaderOptions = {}): TextReading {
  checkArgument(text, 'text of readText()', 'a string')
  const reader = createTextReader(options)
  return joinTextEvents([...reader.read(text), ...reader.end()])
}

export function joinTextEvents(events: readonly TextEvent[]): TextReading {
  const of = (wanted: 'thought' | 'finish') => events.flatMap((event) => (event.type === wanted ? [event.delta] : []))
  const finish = of('finish')
  const invalid = events.flatMap(({ type, ...call }) => (type === 'invalid' ? [call as InvalidCall] : []))
  const problem = events.find((event) => event.type === 'problem')
  return {
    thought: of('thought').join('').trim(),
    actions: events.flatMap(({ type, ...action }) => (type === 'action' ? [action as TextAction] : [])),
    ...(finish.length > 0 && { finish: finish.join('').trim() }),
    ...(invalid.length > 0 && { invalid }),
    ...(problem && { problem: problem.message }),
  }
}

const beginnings: Readonly<Record<Dialect['begins'], (step: Step) => Part>> = {
  'with prose': prose,
  'with an action': bareAction,
  'with code': codeLines,
  'as one line': commandLine,
  somehow: guess,
}

function* readStep(step: Step): Part {
  const end = yield* beginnings[step.dialect.begins](step)
  return end ?? (yield* prose(step))
}

import type { Json } from '../json.ts'
import type { TextEvent } from './textEvent.ts'
import type { TextFormat } from './textFormat.ts'

export interface TextReaderOptions {
  /** The format that the model was told to write. `auto` finds out from the text. */
  format?: TextFormat | 'auto'
  /** The names of the tools, where they are known: what is written is taken for the tool whose name it comes closest to. */
  tools?: readonly string[]
  /** The names of tools that finish, such as `finish` in `Finish[42]`. Upper and lower case are the same. */
  finish?: readonly string[]
}

/** Reads one step of a model in text mode, as it streams. It holds no text back that cannot become part of a label. */
export interface TextReader {
  /** The next piece of the text, cut anywhere. */
  read(chunk: string): readonly TextEvent[]
  /** The text is over: what was held back. */
  end(): readonly TextEvent[]
  /** The step is complete. What the model would still write is dropped, so its stream can be cancelled. */
  readonly done: boolean
}

/** A whole text, read at once. */
export interface TextReading {
  readonly thought: string
  readonly actions: readonly TextAction[]
  readonly finish?: string
  readonly complaint?: string
}

export interface TextAction {
  readonly tool: string
  readonly input: Json
}

export function createTextReader(_options: TextReaderOptions = {}): TextReader {
  throw new Error('in the making')
}

/** Reads a whole text. */
export function readText(text: string, options: TextReaderOptions = {}): TextReading {
  const reader = createTextReader(options)
  return joinTextEvents([...reader.read(text), ...reader.end()])
}

export function joinTextEvents(events: readonly TextEvent[]): TextReading {
  const of = (wanted: 'thought' | 'finish') => events.flatMap((event) => (event.type === wanted ? [event.delta] : []))
  const finish = of('finish')
  const complaint = events.find((event) => event.type === 'complaint')
  return {
    thought: of('thought').join('').trim(),
    actions: events.flatMap((event) => (event.type === 'action' ? [{ tool: event.tool, input: event.input }] : [])),
    ...(finish.length > 0 && { finish: finish.join('').trim() }),
    ...(complaint && { complaint: complaint.message }),
  }
}

import type { Json } from '@interleave/core'
import type { TextEvent } from '../textEvent.ts'
import { isSpace } from './characters.ts'

/** Where readers put what they find. */
export interface Outbox {
  thought(text: string): void
  finish(text: string): void
  action(action: FoundAction): void
  /** Emits an unreadable call. If all are unreadable, it is the problem of the step. */
  invalid(text: string, message: string): void
  complaint(message: string): void
  /** Nothing more is taken. */
  close(): void
  /** The events since the last time. */
  collect(): readonly TextEvent[]
  readonly hasResult: boolean
  readonly hasAnswer: boolean
  readonly hasComplaint: boolean
  readonly isClosed: boolean
}

export interface FoundAction {
  readonly tool: string
  readonly input: Json
  readonly written?: string
}

/** Thoughts and answers leave without the white space around them, and neighbours in one batch leave as one. */
export function createOutbox(): Outbox {
  let events: TextEvent[] = []
  let isClosed = false
  const found = { thought: false, finish: false, action: false, invalid: false, complaint: false }
  let refused: InvalidEvent[] = []
  const add = (event: TextEvent): void => {
    if (isClosed) return
    found[event.type] = true
    events.push(event)
  }
  const thought = createTrimmer((delta) => add({ type: 'thought', delta }))
  const finish = createTrimmer((delta) => add({ type: 'finish', delta }))
  return {
    thought,
    finish(text) {
      // An answer may be empty; then it is still one.
      if (!found.finish) add({ type: 'finish', delta: '' })
      finish(text)
    },
    action({ tool, input, written }) {
      for (const event of refused) add(event)
      refused = []
      add({ type: 'action', tool, input, ...(written !== undefined && { written }) })
    },
    invalid(text, message) {
      const event: InvalidEvent = { type: 'invalid', text, message }
      if (found.action) add(event)
      else refused.push(event)
    },
    complaint: (message) => add({ type: 'complaint', message }),
    close() {
      const [first] = refused
      if (first && !found.action && !found.finish && !found.complaint)
        add({ type: 'complaint', message: first.message })
      isClosed = true
    },
    collect() {
      const batch = joinNeighbours(events)
      events = []
      return batch
    },
    get hasResult() {
      return found.action || found.finish
    },
    get hasAnswer() {
      return found.finish
    },
    get hasComplaint() {
      return found.complaint || refused.length > 0
    },
    get isClosed() {
      return isClosed
    },
  }
}

/** Holds white space back until something follows it. */
function createTrimmer(emit: (text: string) => void): (text: string) => void {
  let hasBegun = false
  let space: string[] = []
  return (text) => {
    let end = text.length
    while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
    if (end > 0) {
      let start = 0
      while (!hasBegun && isSpace(text.charCodeAt(start))) start++
      for (const piece of space) emit(piece)
      emit(text.slice(start, end))
      space = []
      hasBegun = true
    }
    if (hasBegun && end < text.length) space.push(text.slice(end))
  }
}

type InvalidEvent = Extract<TextEvent, { type: 'invalid' }>
type Delta = Extract<TextEvent, { delta: string }>

function joinNeighbours(events: readonly TextEvent[]): readonly TextEvent[] {
  const joined: TextEvent[] = []
  let pieces: string[] = []
  let kind: Delta['type'] | undefined
  const flush = (): void => {
    if (kind) joined.push({ type: kind, delta: pieces.join('') })
    pieces = []
    kind = undefined
  }
  for (const event of events) {
    if ('delta' in event && event.type === kind) {
      pieces.push(event.delta)
      continue
    }
    flush()
    if ('delta' in event) {
      kind = event.type
      pieces = [event.delta]
    } else joined.push(event)
  }
  flush()
  return joined
}

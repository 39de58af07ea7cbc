import type { Event, EventBody } from '../event.ts'
import type { Call, Entry, RunState, Turn } from '../state.ts'
import { joined } from './scratchpad.ts'

/** The `seq` of events whose position a state does not contain. */
export const unknownSeq = -1

/** Generates events that reproduce a state without its log. A state has only open questions, and no earlier signals. */
export function* stateEvents(state: RunState): Generator<Event> {
  let before: Entry | undefined
  for (const page of [...state.history, state.pending])
    for (const entry of page) {
      if (before && isAnswered(before, entry)) yield answerEvent(before)
      yield* entryEvents(entry)
      before = entry
    }
  const { iteration, updatedAt: at, asks, rest, seq } = state
  for (const ask of asks) yield { type: 'asked', ask, seq: unknownSeq, at, iteration }
  if (rest) yield { type: 'rested', signal: rest, seq: seq - 1, at, iteration }
}

/** Returns true if a user message follows a finished turn, so that it is a new request. */
const isAnswered = (before: Entry, next: Entry): before is Turn =>
  before.type === 'turn' &&
  !before.error &&
  (before.calls.length === 0 || before.calls.some(({ final }) => final)) &&
  next.type === 'said' &&
  next.by === 'user' &&
  next.at >= before.at

function answerEvent(turn: Turn): Event {
  const { at, iteration } = turn
  const output = turn.calls.find(({ final }) => final)?.output ?? joined(turn, 'text')
  return {
    type: 'rested',
    signal: { type: 'answer', output, reason: 'completed' },
    // Its message needs a key of its own.
    seq: unknownSeq - iteration,
    at,
    iteration,
  }
}

function* entryEvents(entry: Entry): Generator<Event> {
  const { at } = entry
  const place = { seq: unknownSeq, at, iteration: 0 }
  if (entry.type === 'said') yield { ...place, ...entry }
  // Only the start of a run precedes its first message.
  else if (entry.type === 'messages') yield { ...place, seq: 1, type: 'seeded', messages: entry.messages }
  else {
    const { calls, ...turn } = entry
    const { iteration } = turn
    yield { ...turn, type: 'thought', seq: unknownSeq, heard: Number.POSITIVE_INFINITY }
    for (const call of calls)
      for (const event of callEvents(call)) yield { ...event, seq: unknownSeq, at: call.observedAt ?? at, iteration }
  }
}

function* callEvents(call: Call): Generator<EventBody> {
  const { key, name, input, calledAt, questions, allowed, result, output, error, ms = 0 } = call
  yield { type: 'amended', of: key, input, reason: '' }
  if (allowed !== undefined) {
    const ask = { id: allowed, kind: 'approval', prompt: '', tool: name, input, schema: {}, call: key } as const
    yield { type: 'allowed', ask, by: allowed }
  }
  // A call that has asked was checked too.
  if (calledAt !== undefined || questions) yield { type: 'called', call: key }
  if (!result) return
  yield {
    type: 'observed',
    call: key,
    result,
    ms,
    ...(output !== undefined && { output }),
    ...(error && { error }),
  }
}

import type { Event, Json, Signal, Usage } from '@interleave/core'
import { textOf } from '../run/messages.ts'

/** The facts of one turn: its calls, and the messages and questions around it. */
export interface TurnFacts {
  /** From 1; the messages after the last turn are in one without a thought. */
  readonly turn: number
  /** The `seq` of its first event. */
  readonly seq: number
  /** The messages since the turn before. */
  readonly said: readonly string[]
  readonly thought?: string
  readonly reasoning?: string
  readonly calls: readonly CallFacts[]
  readonly usage?: Usage
  /** Milliseconds of the model, and of the tools after it. */
  readonly ms: number
  /** The latest signal in the turn. */
  readonly signal?: Signal
}
export interface CallFacts {
  readonly key: string
  readonly tool: string
  readonly input: Json
  readonly output?: Json
  readonly error?: string
  /** The questions and replies of the turn. */
  readonly replies: readonly Json[]
}

/** A log turn by turn. */
export function turnFacts(events: readonly Event[]): readonly TurnFacts[] {
  const turns: TurnFacts[] = []
  let said: string[] = []
  let begin = 0
  for (const event of events) {
    if (event.type === 'said') {
      if (said.length === 0) begin = event.seq
      said.push(textOf(event.content))
    } else if (event.type === 'thought') {
      turns.push(toTurn(event, { said, seq: said.length > 0 ? begin : event.seq, turn: turns.length + 1 }))
      said = []
    } else {
      const last = turns.at(-1)
      if (last) turns[turns.length - 1] = withEvent(last, event)
    }
  }
  return said.length > 0 ? [...turns, { turn: turns.length + 1, seq: begin, said, calls: [], ms: 0 }] : turns
}

type Thought = Extract<Event, { type: 'thought' }>

function toTurn({ parts, usage, ms, iteration }: Thought, place: Pick<TurnFacts, 'said' | 'seq' | 'turn'>): TurnFacts {
  const joined = (type: 'text' | 'reasoning'): string =>
    parts.map((part) => (part.type === type ? part.text : '')).join('')
  const calls = parts.flatMap((part) => (part.type === 'tool-call' && !part.providerExecuted ? [part] : []))
  return {
    ...place,
    thought: joined('text'),
    reasoning: joined('reasoning'),
    calls: calls.map(({ toolName, input }, index) => ({
      key: `${iteration}/tool/${index}`,
      tool: toolName,
      input,
      replies: [],
    })),
    usage,
    ms,
  }
}

function withEvent(turn: TurnFacts, event: Event): TurnFacts {
  switch (event.type) {
    case 'claimed':
      return event.input === undefined ? turn : withCall(turn, event.call, () => ({ input: event.input ?? null }))
    case 'replied':
      return withCall(turn, event.ask.split('/').slice(0, 3).join('/'), ({ replies }) => ({
        replies: [...replies, event.value],
      }))
    case 'observed': {
      const { result, error } = event
      const output =
        event.output ?? (result.type === 'execution-denied' ? (result.reason ?? '') : (result.value as Json))
      const changed = withCall(turn, event.call, () => (error ? { error: error.message } : { output }))
      return { ...changed, ms: changed.ms + event.ms }
    }
    case 'settled':
      return { ...turn, signal: event.signal }
    default:
      return turn
  }
}

const withCall = (turn: TurnFacts, key: string, change: (call: CallFacts) => Partial<CallFacts>): TurnFacts => ({
  ...turn,
  calls: turn.calls.map((call) => (call.key === key ? { ...call, ...change(call) } : call)),
})

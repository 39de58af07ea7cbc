import type { Draft } from './draft.ts'
import type { Entry, SaidEntry } from './entry.ts'
import type { Compacted, Drafted, Parent } from './event.ts'
import type { Json } from './json.ts'
import type { LimitName } from './limit.ts'
import type { Pages } from './pages.ts'
import type { Ask } from './question.ts'
import type { Signal } from './signal.ts'
import { noUsage, type Usage } from './usage.ts'

/** Everything a run is, as plain JSON. Never changed: each event makes a new one that shares what stayed the same. */
export interface RunState {
  readonly runId: string
  readonly agent: string
  readonly version: string
  /** The format of its log; 1 where it is not named. */
  readonly format?: number
  /** The run that this one works for. */
  readonly parent?: Parent
  /** Streams of events and exports are without the agent's thoughts. The state has them. */
  readonly exposeReasoning?: false
  /** The number of events so far, and the `seq` of the next one. */
  readonly seq: number
  readonly startedAt: number
  readonly updatedAt: number
  /** Finished turns. */
  readonly iteration: number
  /** Everything that was said and done, in order, in pages: `history.flat()` is one list of it. */
  readonly history: Pages<Entry>
  /** The replacement for the entries before `from` in the prompt. */
  readonly compacted?: Compaction
  /** The number of compactions. */
  readonly compactions: number
  /** Messages that no turn has received yet. They follow the history. */
  readonly pending: readonly SaidEntry[]
  /** Open questions, oldest first. */
  readonly asks: readonly Ask[]
  readonly notes: Readonly<Record<string, Json>>
  /** The questions that steps have asked, by id, as they were shown. An answer in `notes` belongs to the question here. */
  readonly questions?: Readonly<Record<string, Ask>> | undefined
  readonly usage: Usage
  readonly toolCalls: number
  /** Where the work on the user's latest request began: limits count from here. */
  readonly request: RequestMark
  /** Extensions of limits by replies during this request. */
  readonly extensions: { readonly [Name in LimitName]?: number }
  /** The signal of a paused or finished run; absent while it runs. */
  readonly rest?: Signal | undefined
  /** The durable part of a long turn that is streaming, or was when its page closed. */
  readonly drafted?: Pick<Drafted, 'text' | 'reasoning'> | undefined
  /** The part of the streaming turn that has arrived. */
  readonly draft?: Draft | undefined
}

export interface Compaction extends Pick<Compacted, 'messages'> {
  readonly from: number
  /** The turns that were finished then. */
  readonly iteration: number
}

export interface RequestMark {
  /** The `seq` of the message that began it; 0 before the first. */
  readonly seq: number
  readonly startedAt: number
  readonly iteration: number
  readonly toolCalls: number
  readonly usage: Usage
  /** Milliseconds in which the run was paused meanwhile. */
  readonly restedMs: number
  /** A user wants the answer now. */
  readonly finish?: true
}

export const initialState: RunState = Object.freeze({
  runId: '',
  agent: '',
  version: '',
  seq: 0,
  startedAt: 0,
  updatedAt: 0,
  iteration: 0,
  history: [],
  compactions: 0,
  pending: [],
  asks: [],
  notes: {},
  usage: noUsage,
  toolCalls: 0,
  request: { seq: 0, startedAt: 0, iteration: 0, toolCalls: 0, usage: noUsage, restedMs: 0 },
  extensions: {},
  questions: undefined,
  rest: undefined,
  drafted: undefined,
  draft: undefined,
})

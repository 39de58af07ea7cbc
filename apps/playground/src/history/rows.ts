import { isAgentError } from '@interleave/core'
import type { RunSummary } from '@interleave/core/journal'
import { agents } from '../agents/index.ts'
import { own } from '../parts/objects.ts'
import type { StateWord } from '../parts/wording.ts'
import type { Conversation, PlaygroundState } from '../run/PlaygroundState.ts'
import type { Mark } from '../shell/Marks.ts'
import { isServed, type Place } from '../workers/Place.ts'

/** A run in the list. An open one reports its state itself. */
export interface Row {
  readonly runId: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds from its first event to its last, and how many it has. */
  readonly ms: number
  readonly events: number
  readonly agent: string
  readonly word: RowWord
  readonly place: Place
  readonly mark: Mark
  readonly conversation: Conversation | undefined
}

/** A run in the list. The host of one of this browser is known once it is opened. */
export type ListedRun = RunSummary & { readonly place?: Place }

export type RowWord = StateWord | 'unfinished' | 'damaged'

/** Returns open and stored runs as one list, pinned ones first. A run that is dated after tomorrow comes last. */
export function toRows(
  runs: readonly ListedRun[],
  { conversations, marks }: Pick<PlaygroundState, 'conversations' | 'marks'>,
  failures: Readonly<Record<string, unknown>>,
  now: number = Date.now(),
): readonly Row[] {
  const listed = new Set(runs.map(({ runId }) => runId))
  const open = new Map(conversations.map((conversation) => [conversation.run.id, conversation]))
  const fresh = conversations.filter(({ run }) => !listed.has(run.id))
  const rows = [
    ...fresh.map((conversation) =>
      openRow(conversation, { ...conversation.run.state, events: conversation.run.state.seq }),
    ),
    ...runs.map((summary) => {
      const conversation = open.get(summary.runId)
      return conversation ? openRow(conversation, summary) : keptRow(summary, own(failures, summary.runId))
    }),
  ].map((row): Row => marked(row, own(marks, row.runId)))
  const rankOf = ({ at, mark }: Row): number => (mark.isPinned ? 0 : at <= now + dayMs ? 1 : 2)
  return rows.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** The clock of a server may be ahead of this one. */
const dayMs = 24 * 60 * 60_000

/** The filters of the list: words, an agent, a state. An empty one does not count. */
export interface RunFilter {
  readonly query: string
  readonly agent: string
  readonly word: string
}

export const noFilter: RunFilter = { query: '', agent: '', word: '' }

export const isFiltered = ({ query, agent, word }: RunFilter): boolean => `${query}${agent}${word}`.trim() !== ''

/** Returns the rows of an agent and a state whose text in the list has every word of a query. */
export function findRows(rows: readonly Row[], filter: RunFilter): readonly Row[] {
  const words = filter.query.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    const { title, agent, mark, conversation } = row
    const word = wordNow(row)
    if ((filter.agent && agent !== filter.agent) || (filter.word && word !== filter.word)) return false
    const text = `${title} ${conversation?.title ?? ''} ${agent} ${word} ${mark.model ?? ''}`.toLowerCase()
    return words.every((each) => text.includes(each))
  })
}

/** The state of a run, as it is at this moment. */
export function wordNow({ word, conversation }: Row): RowWord {
  const state = conversation?.run.state
  return state ? (state.signal ? wordOf(state.signal.type) : 'working') : word
}

/** Returns true if two rows look the same. */
export const isSameRow = (a: Row, b: Row): boolean =>
  (Object.keys(a) as (keyof Row)[]).every(
    (name) => a[name] === b[name] || (name === 'mark' && isSameMark(a.mark, b.mark)),
  )

const isSameMark = (a: Mark, b: Mark): boolean => JSON.stringify(a) === JSON.stringify(b)

type Unmarked = Omit<Row, 'mark'>

const marked = (row: Unmarked, mark: Mark = {}): Row => ({ ...row, mark, title: mark.name ?? row.title })

type Size = Pick<RunSummary, 'startedAt' | 'updatedAt' | 'events'>
const sizeOf = ({ startedAt, updatedAt, events }: Size) => ({
  at: updatedAt,
  ms: Math.max(0, updatedAt - startedAt),
  events,
})

const openRow = (conversation: Conversation, size: Size): Unmarked => {
  const { run, title, offer, file, place } = conversation
  const agent = file === offer.file ? offer.title : `${offer.title} (edited)`
  return { runId: run.id, title, ...sizeOf(size), agent, word: 'working', place, conversation }
}

const keptRow = ({ runId, title, agent, signal, place = 'page', ...size }: ListedRun, failure: unknown): Unmarked => ({
  runId,
  title,
  ...sizeOf(size),
  agent: agents.find((offer) => offer.title.toLowerCase() === agent)?.title ?? agent,
  word:
    isAgentError(failure) && failure.code === 'log_invalid'
      ? 'damaged'
      : signal === undefined && isServed(place)
        ? 'working'
        : wordOf(signal),
  place,
  conversation: undefined,
})

function wordOf(signal: string | undefined): RowWord {
  switch (signal) {
    case 'answer':
      return 'done'
    case 'inputNeeded':
    case 'limitReached':
      return 'needs you'
    case 'failed':
    case 'stopped':
      return signal
    default:
      return 'unfinished'
  }
}

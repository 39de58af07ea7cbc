import { isAgentError } from '@interleave/core'
import type { RunSummary } from '@interleave/core/journal'
import { agents } from '../agents/index.ts'
import type { StateWord } from '../panels/stateWord.ts'
import { own } from '../parts/own.ts'
import type { Conversation, PlaygroundState } from '../run/PlaygroundState.ts'
import type { Mark } from '../shell/Marks.ts'
import { isServed, type Place } from '../workers/Place.ts'

/** A run in the list. One that is open tells its state itself. */
export interface Row {
  readonly runId: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly agent: string
  readonly word: RowWord
  readonly place: Place
  readonly mark: Mark
  readonly conversation: Conversation | undefined
}

/** Where a run of this browser is to work is known once it is opened. */
export type ListedRun = RunSummary & { readonly place?: Place }

export type RowWord = StateWord | 'unfinished' | 'damaged'

/**
 * What is open and what is kept, as one list, pinned ones first. What was just started is not in the journal yet and comes before
 * what is. A file may say any date: a run that is dated after tomorrow comes last, since it would be the first for ever.
 */
export function toRows(
  runs: readonly ListedRun[],
  { conversations, marks }: Pick<PlaygroundState, 'conversations' | 'marks'>,
  failures: Readonly<Record<string, unknown>>,
  now: number = Date.now(),
): readonly Row[] {
  const fresh = conversations.filter(({ run }) => !runs.some(({ runId }) => runId === run.id))
  const rows = [
    ...fresh.map((conversation) => openRow(conversation, conversation.run.state.updatedAt)),
    ...runs.map((summary) => {
      const conversation = conversations.find(({ run }) => run.id === summary.runId)
      return conversation ? openRow(conversation, summary.updatedAt) : keptRow(summary, own(failures, summary.runId))
    }),
  ].map((row): Row => marked(row, own(marks, row.runId)))
  const rankOf = ({ at, mark }: Row): number => (mark.isPinned ? 0 : at <= now + dayMs ? 1 : 2)
  return rows.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** The clock of a server may be ahead of this one. */
const dayMs = 24 * 60 * 60_000

/** Those that have every word of a query in what the list says of them. */
export function findRows(rows: readonly Row[], query: string): readonly Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ title, agent, word, conversation }) => {
    const text = `${title} ${conversation?.title ?? ''} ${agent} ${word}`.toLowerCase()
    return words.every((each) => text.includes(each))
  })
}

type Unmarked = Omit<Row, 'mark'>

const marked = (row: Unmarked, mark: Mark = {}): Row => ({ ...row, mark, title: mark.name ?? row.title })

const openRow = (conversation: Conversation, at: number): Unmarked => {
  const { run, title, offer, file, place } = conversation
  const agent = file === offer.file ? offer.title : `${offer.title} (edited)`
  return { runId: run.id, title, at, agent, word: 'working', place, conversation }
}

const keptRow = ({ runId, title, updatedAt, agent, rest, place = 'page' }: ListedRun, failure: unknown): Unmarked => ({
  runId,
  title,
  at: updatedAt,
  agent: agents.find((offer) => offer.title.toLowerCase() === agent)?.title ?? agent,
  word:
    isAgentError(failure) && failure.code === 'log_invalid'
      ? 'damaged'
      : rest === undefined && isServed(place)
        ? 'working'
        : wordOf(rest),
  place,
  conversation: undefined,
})

function wordOf(rest: string | undefined): RowWord {
  switch (rest) {
    case 'answer':
      return 'done'
    case 'inputNeeded':
    case 'limitReached':
      return 'needs you'
    case 'failed':
    case 'stopped':
      return rest
    default:
      return 'unfinished'
  }
}

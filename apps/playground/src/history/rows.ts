import { isAgentError } from '@interleave/core'
import type { RunSummary } from '@interleave/core/journal'
import { agents } from '../agents/index.ts'
import type { StateWord } from '../panels/stateWord.ts'
import type { Conversation } from '../run/PlaygroundState.ts'

/** A run in the list. One that is open tells its state itself. */
export interface Row {
  readonly runId: string
  readonly title: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly agent: string
  readonly word: RowWord
  readonly conversation: Conversation | undefined
}

export type RowWord = StateWord | 'unfinished' | 'damaged'

/** What is open and what is kept, as one list. What was just started is not in the journal yet and comes first. */
export function toRows(
  runs: readonly RunSummary[],
  conversations: readonly Conversation[],
  failures: Readonly<Record<string, unknown>>,
): readonly Row[] {
  const fresh = conversations.filter(({ run }) => !runs.some(({ runId }) => runId === run.id))
  return [
    ...fresh.map((conversation) => openRow(conversation, conversation.run.state.updatedAt)),
    ...runs.map((summary): Row => {
      const conversation = conversations.find(({ run }) => run.id === summary.runId)
      return conversation ? openRow(conversation, summary.updatedAt) : keptRow(summary, failures[summary.runId])
    }),
  ]
}

const openRow = (conversation: Conversation, at: number): Row => {
  const { run, title, offer, file } = conversation
  const agent = file === offer.file ? offer.title : `${offer.title} (edited)`
  return { runId: run.id, title, at, agent, word: 'working', conversation }
}

const keptRow = ({ runId, title, updatedAt, agent, rest }: RunSummary, failure: unknown): Row => ({
  runId,
  title,
  at: updatedAt,
  agent: agents.find((offer) => offer.title.toLowerCase() === agent)?.title ?? agent,
  word: isAgentError(failure) && failure.code === 'log_invalid' ? 'damaged' : wordOf(rest),
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

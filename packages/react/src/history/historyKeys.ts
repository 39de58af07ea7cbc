import type { Journal } from '@interleave/core/journal'

/** Filters the runs of a journal: those of one agent, the child runs of one run, or all that users began. */
export interface HistoryFilter {
  readonly agent?: string | undefined
  readonly below?: string | undefined
  /** The number of runs per page. */
  readonly pageSize?: number | undefined
}

type Root = readonly ['interleave', 'history']
type JournalKey = readonly [...Root, name: string]
export type ListKey = readonly [...JournalKey, 'list', HistoryFilter]
export type LogKey = readonly [...JournalKey, 'log', string]

const root: Root = ['interleave', 'history']
const keyOf = (journal: JournalOrName): JournalKey => [...root, nameOf(journal)]

/**
 * The query keys of journals, for `invalidateQueries`, `useIsMutating` and others. They contain the name of the journal
 * and not its identity, so data that was persisted, or prefetched on a server, is found again.
 */
export const historyKeys = {
  /** All queries of all journals. */
  all: root as Root,
  /** All queries of one journal. */
  journal: (journal: JournalOrName): JournalKey => keyOf(journal),
  lists: (journal: JournalOrName): readonly [...JournalKey, 'list'] => [...keyOf(journal), 'list'],
  list: (journal: JournalOrName, filter: HistoryFilter = {}): ListKey => [...keyOf(journal), 'list', filter],
  log: (journal: JournalOrName, runId: string): LogKey => [...keyOf(journal), 'log', runId],
  /** Pending mutations: messages, replies, forks and deletions. */
  actions: (journal: JournalOrName, runId: string): readonly [...JournalKey, 'action', string] => [
    ...keyOf(journal),
    'action',
    runId,
  ],
}

/** A journal, or the name that `historyJournal` was given for it. */
export type JournalOrName = Journal | string

/** The property with the name of a `historyJournal`. Copies of the journal have it too. */
export const nameKey: unique symbol = Symbol('name')

/** Returns the cache name of a journal; `default` without a name. */
export function nameOf(journal: JournalSource | string | undefined): string {
  if (typeof journal === 'string') return journal
  return (journal as Named | undefined)?.[nameKey] ?? 'default'
}

/** Returns true for a journal of `historyJournal`. */
export const isNamed = (journal: Journal): boolean => (journal as Named)[nameKey] !== undefined

interface Named {
  readonly [nameKey]?: string
}

/** A journal, or a function that opens it. */
export type JournalSource = Journal | (() => Journal | PromiseLike<Journal>)

/** Which runs of a journal: of one agent, below one run, or all that users began. */
export interface HistoryFilter {
  readonly agent?: string | undefined
  readonly below?: string | undefined
}

const all = ['interleave', 'history'] as const

interface HistoryKeys {
  readonly all: Root
  readonly lists: readonly [...Root, 'list']
  list(filter?: HistoryFilter): ListKey
  log(runId: string): readonly [...Root, 'log', string]
  /** What is being said, replied, forked or deleted. */
  actions(runId: string): readonly [...Root, 'action', string]
}
type Root = typeof all
export type ListKey = readonly [...Root, 'list', HistoryFilter]

/** The keys of everything that is cached of a journal, for `invalidateQueries`, `useIsMutating` and the like. */
export const historyKeys: HistoryKeys = {
  all,
  lists: [...all, 'list'],
  list: (filter = {}) => [...all, 'list', filter],
  log: (runId) => [...all, 'log', runId],
  actions: (runId) => [...all, 'action', runId],
}

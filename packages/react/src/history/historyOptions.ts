import type { Event } from '@interleave/core'
import { checkArgument, checkStore, listedRuns } from '@interleave/core/internal'
import type { Journal, RunSummary } from '@interleave/core/journal'
import type { InfiniteData } from '@tanstack/react-query'

/** Filters the runs of a journal: those of one agent, the child runs of one run, or all that users began. */
interface HistoryFilter {
  readonly agent?: string | undefined
  readonly below?: string | undefined
  /** The number of runs per page. */
  readonly pageSize?: number | undefined
}

type Root = readonly ['interleave', 'history']
type JournalKey = readonly [...Root, name: string]
type ListKey = readonly [...JournalKey, 'list', HistoryFilter]
type LogKey = readonly [...JournalKey, 'log', string]

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

/** A journal, or the name of a `historyJournal`. */
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

export interface HistoryOptions extends HistoryFilter, Naming {
  readonly journal: JournalSource
  /** The number of runs per page; 30 by default. */
  readonly pageSize?: number
}
interface Naming {
  /** The cache name of a journal that is not a `historyJournal`, or is opened later; `default` by default. */
  readonly name?: string
}

type Page = readonly RunSummary[]
/** The last run of a page. */
type Cursor = Pick<RunSummary, 'runId' | 'updatedAt'>
type Pages = InfiniteData<Page, Cursor | undefined>

/** The options of `useInfiniteQuery`, `useSuspenseInfiniteQuery` and `prefetchInfiniteQuery`. */
export interface HistoryQuery {
  readonly queryKey: ListKey
  readonly initialPageParam: Cursor | undefined
  queryFn(context: { readonly pageParam: Cursor | undefined }): Promise<Page>
  getNextPageParam(page: Page): Cursor | undefined
  select(pages: Pages): Page
  readonly networkMode: 'always'
}
/** The options of `useQuery`, `useSuspenseQuery` and `prefetchQuery`. */
export interface LogQuery {
  readonly queryKey: LogKey
  queryFn(): Promise<readonly Event[]>
  readonly networkMode: 'always'
}

/**
 * Query options for the runs of a journal with `useInfiniteQuery`, newest first. Child runs are omitted, unless you ask
 * for them with `below`. Works offline if the journal does.
 *
 * @example
 * const { data: runs = [], fetchNextPage } = useInfiniteQuery(historyOptions({ journal }))
 */
export function historyOptions(options: HistoryOptions): HistoryQuery {
  checkArgument(options, 'options of historyOptions()', 'an object')
  const { journal, name = nameOf(journal), pageSize = 30, ...filter } = options
  checkSource(journal, 'historyOptions()')
  return {
    queryKey: historyKeys.list(name, { ...filter, pageSize }),
    initialPageParam: undefined,
    async queryFn({ pageParam }) {
      const from = await opened(journal)
      return listedRuns(from, { ...withoutUndefined(filter), limit: pageSize, ...(pageParam && { before: pageParam }) })
    },
    getNextPageParam(page) {
      const last = page.length < pageSize ? undefined : page.at(-1)
      return last && { runId: last.runId, updatedAt: last.updatedAt }
    },
    select: filter.below === undefined ? rootRuns : uniqueRuns,
    networkMode: 'always',
  }
}

/** Query options for the whole log of one run, as for `pastRun` or an export. */
export function logOptions(journal: JournalSource, runId: string, { name = nameOf(journal) }: Naming = {}): LogQuery {
  checkSource(journal, 'logOptions()')
  return {
    queryKey: historyKeys.log(name, runId),
    queryFn: async () => (await opened(journal)).read(runId),
    networkMode: 'always',
  }
}

const checkSource = (journal: unknown, owner: string): void =>
  typeof journal === 'function' ? undefined : checkStore(journal, owner)

const opened = (journal: JournalSource): Journal | PromiseLike<Journal> =>
  typeof journal === 'function' ? journal() : journal

const withoutUndefined = ({ agent, below }: HistoryFilter): { agent?: string; below?: string } => ({
  ...(agent !== undefined && { agent }),
  ...(below !== undefined && { below }),
})

/** Removes duplicates: a run that was written meanwhile may be on two pages, and the first is newer. */
function uniqueRuns({ pages }: Pages): Page {
  const runs = new Map<string, RunSummary>()
  for (const run of pages.flat()) if (isShowable(run) && !runs.has(run.runId)) runs.set(run.runId, withDates(run))
  return [...runs.values()]
}

/** A URL cannot contain an id with lone surrogates, which an older version could store. */
const isShowable = ({ runId }: RunSummary): boolean => typeof runId === 'string' && !/\p{Surrogate}/u.test(runId)

/** Replaces an invalid time, which would make a page throw when it formats it. */
const withDates = (run: RunSummary): RunSummary => ({
  ...run,
  startedAt: toDate(run.startedAt),
  updatedAt: toDate(run.updatedAt),
})

const toDate = (at: number): number => (typeof at === 'number' && !Number.isNaN(new Date(at).getTime()) ? at : 0)

const rootRuns = (pages: Pages): Page => uniqueRuns(pages).filter(({ parent }) => !parent)

import type { Event } from '@interleave/core'
import { checkType, storeWords } from '@interleave/core/internal'
import type { Journal, RunSummary } from '@interleave/core/journal'
import type { InfiniteData } from '@tanstack/react-query'
import {
  type HistoryFilter,
  historyKeys,
  type JournalSource,
  type ListKey,
  type LogKey,
  nameOf,
} from './historyKeys.ts'

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
  checkType(options ?? null, 'options of historyOptions()', 'an object')
  const { journal, name = nameOf(journal), pageSize = 30, ...filter } = options
  checkSource(journal, 'historyOptions()')
  return {
    queryKey: historyKeys.list(name, { ...filter, pageSize }),
    initialPageParam: undefined,
    async queryFn({ pageParam }) {
      const from = await opened(journal)
      return from.list({ ...given(filter), limit: pageSize, ...(pageParam && { before: pageParam }) })
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
  checkType(journal ?? null, `journal of ${owner}`, `${storeWords} or a function`)

const opened = (journal: JournalSource): Journal | PromiseLike<Journal> =>
  typeof journal === 'function' ? journal() : journal

const given = ({ agent, below }: HistoryFilter): { agent?: string; below?: string } => ({
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

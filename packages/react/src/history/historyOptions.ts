import type { Event } from '@interleave/core'
import type { Journal, RunSummary } from '@interleave/core/journal'
import type { InfiniteData } from '@tanstack/react-query'
import { type HistoryFilter, historyKeys, type ListKey } from './historyKeys.ts'

/** A journal, or what opens it. */
export type JournalSource = Journal | (() => Journal | PromiseLike<Journal>)

export interface HistoryOptions extends HistoryFilter {
  readonly journal: JournalSource
  /** 30 by default. */
  readonly pageSize?: number
}

type Page = readonly RunSummary[]
type Place = Pick<RunSummary, 'runId' | 'updatedAt'>
type Pages = InfiniteData<Page, Place | undefined>

/** What `useInfiniteQuery`, `useSuspenseInfiniteQuery` and `prefetchInfiniteQuery` take. */
export interface HistoryQuery {
  readonly queryKey: ListKey
  readonly initialPageParam: Place | undefined
  queryFn(context: { readonly pageParam: Place | undefined }): Promise<Page>
  getNextPageParam(page: Page): Place | undefined
  select(pages: Pages): Page
  readonly networkMode: 'always'
}
/** What `useQuery`, `useSuspenseQuery` and `prefetchQuery` take. */
export interface LogQuery {
  readonly queryKey: ReturnType<typeof historyKeys.log>
  queryFn(): Promise<readonly Event[]>
  readonly networkMode: 'always'
}

/** The last of a page is where the next one begins. */
const placeAfter = (page: Page, pageSize: number): Place | undefined => {
  const last = page.length < pageSize ? undefined : page.at(-1)
  return last && { runId: last.runId, updatedAt: last.updatedAt }
}

/**
 * The runs of a journal for `useInfiniteQuery`, newest first. Those below another run are left out, unless they are asked for
 * with `below`. A journal of this device needs no network, so neither does this.
 *
 * @example
 * const { data: runs = [], fetchNextPage } = useInfiniteQuery(historyOptions({ journal }))
 */
export function historyOptions({ journal, pageSize = 30, ...filter }: HistoryOptions): HistoryQuery {
  return {
    queryKey: historyKeys.list(filter),
    initialPageParam: undefined,
    async queryFn({ pageParam }) {
      const from = await opened(journal)
      return from.list({ ...given(filter), limit: pageSize, ...(pageParam && { before: pageParam }) })
    },
    getNextPageParam: (page) => placeAfter(page, pageSize),
    select: filter.below === undefined ? rootRuns : uniqueRuns,
    networkMode: 'always',
  }
}

/** The whole log of one run, as for `pastRun` or an export. */
export function logOptions(journal: JournalSource, runId: string): LogQuery {
  return {
    queryKey: historyKeys.log(runId),
    queryFn: async () => (await opened(journal)).read(runId),
    networkMode: 'always',
  }
}

const opened = (journal: JournalSource): Journal | PromiseLike<Journal> =>
  typeof journal === 'function' ? journal() : journal

const given = ({ agent, below }: HistoryFilter): { agent?: string; below?: string } => ({
  ...(agent !== undefined && { agent }),
  ...(below !== undefined && { below }),
})

/** One that was written to meanwhile may stand on two pages. */
const uniqueRuns = ({ pages }: Pages): Page => [...new Map(pages.flat().map((run) => [run.runId, run])).values()]

const rootRuns = (pages: Pages): Page => uniqueRuns(pages).filter(({ parent }) => !parent)

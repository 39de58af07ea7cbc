import type { Journal, PermissionStore } from '@interleave/core/journal'
import type { Bank } from '../bank/Bank.ts'
import type { ServerRuns } from '../remote/serverRuns.ts'
import type { ServedPlace } from '../workers/Place.ts'
import type { RunRecord } from './checkRecord.ts'
import type { NewsChannel } from './News.ts'

export type Servers = Readonly<Record<ServedPlace, ServerRuns>>

/** The storage that outlives the page: the logs of runs, and the settings of each. */
export interface PageStorage {
  readonly journal: Journal
  readonly records: Records
  /** Permanent permissions. */
  readonly permissions: PermissionStore
  /** The bank that tools pay with. Its ledger is no part of a log. */
  readonly bank?: Bank | undefined
  readonly news: NewsChannel
  /** True if this browser stores nothing: data is lost with the page, and no other tab can read it. */
  readonly isFleeting: boolean
  /** Runs that outlive this browser, on servers. */
  readonly servers?: Servers | undefined
}

export interface Records {
  /** The stored data is not trusted: undefined also if it cannot be used. */
  get(runId: string): Promise<RunRecord | undefined>
  put(record: RunRecord): Promise<unknown>
  delete(runId: string): Promise<unknown>
}

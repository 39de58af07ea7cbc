import type { Place } from '../workers/Place.ts'
import type { KeptConnection } from './keptConnection.ts'

/** What a run was started with, so that a later visit can go on with it. Its log is in the journal; keys are nowhere. */
export interface RunRecord {
  readonly runId: string
  /** The id of the offer. */
  readonly offer: string
  /** The file that its agent was made from. */
  readonly file: string
  readonly connection: KeptConnection
  /** Where it works; in the page if it does not say. */
  readonly place?: Place | undefined
}

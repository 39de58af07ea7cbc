import type { Place } from '../workers/Place.ts'
import type { KeptConnection } from './keptConnection.ts'

/** The settings of a run, so that a later visit can resume it. Its log is in the journal; keys are nowhere. */
export interface RunRecord {
  readonly runId: string
  /** The id of the offer. */
  readonly offer: string
  /** The file that its agent was made from. */
  readonly file: string
  readonly connection: KeptConnection
  /** The host that executes it; the page by default. */
  readonly place?: Place | undefined
}

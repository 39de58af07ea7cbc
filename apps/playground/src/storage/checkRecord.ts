import { z } from 'zod'
import type { Place } from '../workers/Place.ts'
import type { StoredConnection } from './storedConnection.ts'

/** The settings of a run, so that a later visit can resume it. Its log is in the journal; keys are not stored. */
export interface RunRecord {
  readonly runId: string
  /** The id of the offer. */
  readonly offer: string
  /** The file of its agent. */
  readonly file: string
  readonly connection: StoredConnection
  /** The host that executes it; the page by default. */
  readonly place?: Place | undefined
}

const modelId = z.string().min(1).max(200)
const connection = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['demo', 'builtIn']) }),
  z.strictObject({ type: z.literal('server'), url: z.url(), modelId, needsKey: z.boolean() }),
  z.strictObject({ type: z.enum(['openai', 'anthropic', 'google']), modelId, route: z.enum(['direct', 'proxy']) }),
])

const place = z.enum(['page', 'worker', 'sharedWorker', 'server', 'restate'])

/** The characters that the file of an agent may have. */
export const maxAgent = 500_000

/** An agent that comes with the file of a run. */
const agent = z.object({ offer: z.string().max(100), file: z.string().max(maxAgent) })

const record = z.strictObject({ runId: z.string().min(1), ...agent.shape, connection, place: place.optional() })

/** Returns a stored record; undefined if this version did not write it. */
export const checkRecord = (data: unknown): RunRecord | undefined => record.safeParse(data).data

export type StoredAgent = z.infer<typeof agent>

/** The agent of an imported file, without its model, which the user who opens it chooses. */
export const checkAgent = (data: unknown): StoredAgent | undefined => agent.safeParse(data).data

import { z } from 'zod'
import type { Place } from '../workers/Place.ts'
import type { StoredConnection } from './storedConnection.ts'

/** The settings of a run, so that a later visit can resume it. Its log is in the journal; keys are nowhere. */
export interface RunRecord {
  readonly runId: string
  /** The id of the offer. */
  readonly offer: string
  /** The file that its agent was made from. */
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

/** A record as it was found; undefined if it is none that this version wrote. */
export const checkRecord = (data: unknown): RunRecord | undefined => record.safeParse(data).data

export type StoredAgent = z.infer<typeof agent>

/** The agent of a file that somebody brings, without the model it was used with: that is for who opens it to choose. */
export const checkAgent = (data: unknown): StoredAgent | undefined => agent.safeParse(data).data

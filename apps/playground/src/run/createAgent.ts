import type { Agent, Event, Price } from '@interleave/core'
import { type Connection, createModel, lockedModel } from '../models/index.ts'
import { uploadedFile } from '../tables/uploadedFile.ts'

/** What an agent of a file thinks with. */
export interface Thinking {
  readonly connection: Connection
  /** Its key is not there. */
  readonly lacksKey?: boolean
  /** What tokens cost, by model id. */
  readonly prices: Readonly<Record<string, Price>>
  /** What happened before in its conversation. */
  readonly past?: readonly Event[]
}

/** The agent of a file. Agents and all that they can name are loaded with the first run. */
export async function createAgent(file: string, { connection, lacksKey, prices, past = [] }: Thinking): Promise<Agent> {
  const [{ agentFrom }, model] = await Promise.all([
    import('../agents/agentFrom.ts'),
    lacksKey ? lockedModel(connection) : createModel(connection),
  ])
  return agentFrom(file, { model, prices, file: uploadedFile(past) })
}

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Host, localHost } from '@interleave/core'
import { sqlJournal } from '@interleave/core/durable-object'
import { createHandler, type Handler } from '@interleave/core/server'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import { principalOf } from './principalOf.ts'
import { servedAgents } from './servedAgents.ts'
import { sqliteStorage } from './sqliteStorage.ts'

export interface ApiOptions {
  /** The file that runs are kept in, or `:memory:`. */
  readonly runs: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What the server of the playground answers with: the agents of the page, and runs that outlive both. */
export function createApi({ runs, env }: ApiOptions): Handler {
  const journal = sqlJournal(sqliteStorage(runs))
  return createHandler({
    agents: servedAgents({ model: modelOf(env), journal }),
    journal,
    authorize: principalOf,
    // What it signs is asked for anew by who comes after a restart.
    secret: crypto.randomUUID() + crypto.randomUUID(),
    // Nobody else has the file.
    patience: Number.POSITIVE_INFINITY,
    host: { ...localHost, timer },
  })
}

/** The demo planner, or a server that speaks the protocol of OpenAI, whose key stays here. */
function modelOf({ MODEL_URL, MODEL_ID, MODEL_KEY }: ApiOptions['env']): LanguageModelV4 {
  if (!MODEL_URL || !MODEL_ID) return demoPlanner()
  const provider = createOpenAICompatible({
    name: 'server',
    baseURL: MODEL_URL,
    includeUsage: true,
    ...(MODEL_KEY && { apiKey: MODEL_KEY }),
  })
  return provider(MODEL_ID)
}

/** What is yet to be done holds up nobody who ends the server. */
const timer: Host['timer'] = (ms, callback) => {
  const waiting = setTimeout(callback, Math.min(ms, 2_147_483_647))
  waiting.unref()
  return () => clearTimeout(waiting)
}

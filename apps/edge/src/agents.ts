import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { DurableNamespace } from '@interleave/cloudflare'
import type { Agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { demoPlanner } from '../../playground/src/models/demoPlanner/demoPlanner.ts'
import { servedAgents } from '../../playground/src/server/servedAgents.ts'

/** The bindings of wrangler.jsonc, and the secrets. */
export interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
  /** The files of the page. */
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
  /** At least 32 bytes. */
  readonly SECRET: string
  readonly ANTHROPIC_API_KEY?: string
  readonly OPENAI_API_KEY?: string
  readonly GOOGLE_API_KEY?: string
  /** Another model than the usual one of the provider. */
  readonly MODEL?: string
}

let made: readonly Agent[] | undefined

/** The agents of the page, made once for all objects of a process: it takes longer than to wake one. Each run names its own journal. */
export const agentsOf = (env: Env): readonly Agent[] =>
  (made ??= servedAgents({ model: modelOf(env), journal: memoryJournal() }))

/** The model whose key is among the secrets. Without one the rules of the demo think, and nothing is paid for. */
function modelOf({ ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_API_KEY, MODEL }: Env): LanguageModelV4 {
  if (ANTHROPIC_API_KEY) return createAnthropic({ apiKey: ANTHROPIC_API_KEY })(MODEL ?? 'claude-sonnet-4-5')
  if (OPENAI_API_KEY) return createOpenAI({ apiKey: OPENAI_API_KEY })(MODEL ?? 'gpt-5-mini')
  if (GOOGLE_API_KEY) return createGoogleGenerativeAI({ apiKey: GOOGLE_API_KEY })(MODEL ?? 'gemini-2.5-flash')
  return demoPlanner()
}

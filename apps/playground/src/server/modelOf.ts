import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'

/** Settings by their names, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The demo planner, or a server that speaks the protocol of OpenAI, whose key stays here. */
export function modelOf({ MODEL_URL, MODEL_ID, MODEL_KEY }: Environment): LanguageModelV4 {
  if (!MODEL_URL || !MODEL_ID) return demoPlanner()
  const provider = createOpenAICompatible({
    name: 'server',
    baseURL: MODEL_URL,
    includeUsage: true,
    ...(MODEL_KEY && { apiKey: MODEL_KEY }),
  })
  return provider(MODEL_ID)
}

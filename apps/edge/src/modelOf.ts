import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { demoPlanner } from '../../playground/src/models/demoPlanner/demoPlanner.ts'
import type { Env } from './Env.ts'

/** The model whose key is among the secrets. Without one the rules of the demo think, and nothing is paid for. */
export function modelOf({ ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_API_KEY, MODEL }: Env): LanguageModelV4 {
  if (ANTHROPIC_API_KEY) return createAnthropic({ apiKey: ANTHROPIC_API_KEY })(MODEL ?? 'claude-sonnet-4-5')
  if (OPENAI_API_KEY) return createOpenAI({ apiKey: OPENAI_API_KEY })(MODEL ?? 'gpt-5-mini')
  if (GOOGLE_API_KEY) return createGoogleGenerativeAI({ apiKey: GOOGLE_API_KEY })(MODEL ?? 'gemini-2.5-flash')
  return demoPlanner()
}

import type { Event } from '@interleave/core'
import { redact } from '@interleave/core/observe'
import { turnsIn } from '../golden/rerunTest.ts'
import { printCode, valueCode } from './printCode.ts'

/** The model of a project: it says again what the model of a run said, so it needs no key. Secrets are left out. */
export const modelCode = (
  events: readonly Event[],
): string => `import { type ScriptedTurn, scriptedModel } from '@interleave/testing'

/** The model's turns of a run. */
const turns: ScriptedTurn[] = ${printCode(valueCode(redact(turnsIn(events)).value))}

/**
 * A demo model: it says the same again, and needs no key. For a real one, run \`npm install @ai-sdk/openai@4\`. On a server,
 * set \`OPENAI_API_KEY\`, and write \`export const model = openai('gpt-5-mini')\`. In a page there is no such variable: for
 * your own machine, write \`createOpenAI({ apiKey })('gpt-5-mini')\`; everybody who opens the page can read the key.
 */
export const model = scriptedModel(
  ({ prompt }) => turns[prompt.filter(({ role }) => role === 'assistant').length] ?? 'I am a demo model, and have no more to say.',
)
`

import { demand } from './demand.ts'
import { nearest } from './nearest.ts'

/** The names of all options of a type, so that the compiler finds one that is missing here. */
export type KnownOptions<Options> = Readonly<Record<keyof Options, true>>

const inLimits = 'set `limits` of the backend: reasonAct({ limits: { iterations: 20 } })'
const inSettings = 'set `settings` of the model call: reasonAct({ think: { settings: { … } } })'

/** Options of the AI SDK and of its earlier versions, and what takes their place. */
const elsewhere: Readonly<Record<string, string>> = {
  maxSteps: inLimits,
  stopWhen: inLimits,
  maxIterations: inLimits,
  system: 'use `instructions`',
  prompt: 'give the message to start()',
  messages: 'give the message to start(), and earlier ones as its `history`',
  parameters: 'use `inputSchema`',
  temperature: inSettings,
  maxTokens: inSettings,
  maxOutputTokens: inSettings,
  toolChoice: inSettings,
  providerOptions: inSettings,
  maxRetries: 'set `retries` of the model call: reasonAct({ think: { retries: 2 } })',
  onStepFinish: 'use an observer: run.observe({ onIterationEnd })',
  onFinish: 'use an observer: run.observe({ onFinish })',
}

/** Throws for an option that is not known, since it would have no effect. `owner` is what has the options, such as `agent()`. */
export function refuseUnknown(owner: string, options: object, known: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue
    const names = Object.keys(known)
    const meant = nearest(name, names)
    const moved = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined
    const advice = moved ? `Instead, ${moved}.` : meant ? `Did you mean \`${meant}\`?` : `It has: ${names.join(', ')}.`
    demand(false, `${owner} has no option \`${name}\`. ${advice}`)
  }
}

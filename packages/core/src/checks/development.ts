import { AgentError } from '../error.ts'
import { nearest } from '../nearest.ts'
import { problemOfModels } from './models.ts'

/** True in development. A sentence for developers alone is `DEV && sentence`, and production builds leave it out. */
export const DEV: boolean = true

/** An error of the compiler that has the options which a list of names lacks. */
type Complete<Options, Name> = string extends keyof Options
  ? unknown
  : [Exclude<keyof Options, Name>] extends [never]
    ? unknown
    : { readonly missing: Exclude<keyof Options, Name> }

/**
 * Throws for an unknown option, since it would have no effect, and for a value that is no option of any kind. `owner`
 * has the options, such as `agent()`; `instead` has the replacements of foreign ones, by default those of the AI SDK.
 * The compiler reports a name that is missing.
 */
export function checkOptions<Options extends object, const Names extends readonly string[]>(
  owner: string,
  options: Options,
  names: Names & Complete<Options, Names[number]>,
  instead: Readonly<Record<string, string>> = sdkOptions,
): void {
  checkArgument(options, `options of ${owner}`, `an object: { ${names.slice(0, 4).join(', ')} }`)
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (names.includes(name)) checkValue(value, `\`${name}\` of ${owner}`, name)
    else fail(`${owner} has no option \`${name}\`. ${adviceFor(name, { names, instead })}`)
  }
}

/** Throws for what no option takes, and for the wrong kind of an option that is the same wherever it is. */
function checkValue(value: unknown, option: string, name: string): void {
  const words = kinds[name] ?? (name.endsWith('Ms') ? 'a number (0 or more)' : '')
  const isWrong = value === null || value instanceof Promise || Number.isNaN(value)
  if (isWrong && !words) fail(`The ${option} ${wrongValue(value)}.`)
  if (words) checkArgument(value, option, words)
}

const wrongValue = (value: unknown): string =>
  value === null
    ? 'is null. Leave it out instead'
    : Number.isNaN(value)
      ? 'must be a number, and is NaN'
      : 'is a promise. Wait for it first'

const storeWords = 'an object with append(), read(), list() and delete()'

const kinds: Readonly<Partial<Record<string, string>>> = {
  journal: storeWords,
  timeoutMs: 'a number above 0',
}

interface Known {
  readonly names: readonly string[]
  readonly instead: Readonly<Record<string, string>>
}

function adviceFor(name: string, { names, instead }: Known): string {
  if (Object.hasOwn(instead, name)) return `Instead, ${instead[name]}.`
  const meant = nearest(name, names)
  return meant ? `Did you mean \`${meant}\`?` : `It has: ${names.join(', ')}.`
}

const inLimits = 'use reasonAct({ limits: { iterations: 20 } })'
const inSettings = 'set `settings`: reasonAct({ think: { settings } })'

/** Options of the AI SDK and of its earlier versions, and their replacements. */
const sdkOptions: Readonly<Record<string, string>> = {
  maxSteps: inLimits,
  stopWhen: inLimits,
  maxIterations: inLimits,
  system: 'use `instructions`',
  prompt: 'use start(message)',
  messages: 'use start(message, { history })',
  parameters: 'use `inputSchema`',
  temperature: inSettings,
  maxTokens: inSettings,
  maxOutputTokens: inSettings,
  toolChoice: inSettings,
  providerOptions: inSettings,
  maxRetries: 'use reasonAct({ think: { retries: 2 } })',
  onStepFinish: 'use observe(run, { onIterationEnd })',
  onFinish: 'use observe(run, { onFinish })',
}

/**
 * Throws if an argument is not of these kinds, such as `a function` or `an object with subscribe()`. `what` is the
 * argument, such as `check of guardInput()`.
 */
export function checkArgument(value: unknown, what: string, words: string): void {
  const kind = kindOf(value)
  const methods = (kind === 'object' && words.match(/\b\w+(?=\()/g)) || []
  const fits = words.includes(kind) && (value !== 0 || !words.includes('above 0'))
  if (!fits || methods.some((name) => typeof Object(value)[name] !== 'function')) fail(`The ${what} must be ${words}.`)
}

/** A number below 0 has no kind. A promise has none either, since it was not awaited. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return value === null || value instanceof Promise || (typeof value === 'number' && !(value >= 0)) ? '?' : typeof value
}

/** Throws if this is no journal that can be read and written. `owner` is the caller, such as `prune()`. */
export const checkStore = (journal: unknown, owner: string): void =>
  checkArgument(journal, `journal of ${owner}`, storeWords)

/** Throws if this is no host. `owner` is the caller, such as `start()`. */
export const checkHost = (host: unknown, owner: string): void =>
  checkArgument(host, `\`host\` of ${owner}`, 'an object with now(), newId(), timer() and perform()')

/** Throws if this is not a run. `owner` is the caller, such as `observe()`. */
export const checkRun = (run: unknown, owner: string): void =>
  checkArgument(run, `run of ${owner}`, 'an object with subscribe()')

/** Throws if this is not the state of a run. `owner` is the caller, such as `scratchpad()`. */
export function checkRunState(state: unknown, owner: string): void {
  if (!Array.isArray(Object(state).history)) fail(`${owner} needs a state, such as run.state.`)
}

/** Throws if this is not an agent, here or elsewhere. `owner` is the caller, such as `fork()`. */
export const checkHandle = (agent: unknown, owner: string): void =>
  checkArgument(agent, `agent of ${owner}`, 'an object with resume()')

/** Throws if this is not a model. `owner` is the caller, such as `textMode()`. */
export const checkModel = (model: unknown, owner: string): void =>
  checkArgument(model, `model of ${owner}`, 'an object with doStream()')

/** Throws unless these are models of an agent. */
export function checkModels(models: readonly unknown[]): void {
  const problem = problemOfModels(models)
  if (problem) fail(problem)
}

/** Throws if these are not events. `owner` is the caller, such as `toAgUi()`. */
export function checkEvents(events: unknown, owner: string): void {
  const isIterable = typeof events === 'object' && Symbol.iterator in Object(events)
  const fit = isIterable && (!Array.isArray(events) || events.every((event) => typeof event?.type === 'string'))
  if (!fit) fail(`The events of ${owner} must be a list of events, such as run.log.`)
}

/** Throws if this is no step. `owner` is the caller, such as `guardOutput()`. */
export const checkStep = (step: unknown, owner: string, example: string): void =>
  checkArgument(step, `step of ${owner}`, `a function, such as ${example}`)

/** Returns the advice for a schema of this library without JSON Schema. */
export function schemaAdvice(vendor: string): string {
  if (vendor === 'zod') return 'Use zod 4.2 or later, and import { z } from "zod", not from "zod/mini" or "zod/v3".'
  if (vendor === 'valibot') return 'Wrap it with toStandardJsonSchema() of @valibot/to-json-schema.'
  return "Wrap it with its library's Standard JSON Schema, or with jsonSchema() of the AI SDK."
}

function fail(problem: string): never {
  throw new AgentError('options_invalid', problem)
}

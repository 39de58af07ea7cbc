import { AgentError } from './error.ts'

/** Throws an error about an option when it is passed, not in the first run. */
export function assertOption(holds: unknown, problem: string): asserts holds {
  if (!holds) throw new AgentError('options_invalid', problem)
}

/**
 * Throws if an option is set and does not match these words, such as `a string or a function`, `"ask" or "leaveOut"`,
 * or `an object with now()`.
 */
export function checkType(value: unknown, option: string, words: string): void {
  const kind = kindOf(value)
  const isAbove = value !== 0 || !words.includes('above 0')
  const fits = (words.includes(kind) && isAbove) || words.includes(`"${kind === 'string' && value}"`)
  const has =
    kind !== 'object' ||
    !words.match(/\b\w+\(/g)?.some((call) => typeof Object(value)[call.slice(0, -1)] !== 'function')
  assertOption(value === undefined || (fits && has), `The ${option} must be ${words}.`)
}

/** A number below 0 has no kind. A promise has none either, since it was not awaited. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return value === null || value instanceof Promise || (typeof value === 'number' && !(value >= 0)) ? '?' : typeof value
}

type Kind<Value> = Value extends string
  ? string extends Value
    ? 'a string'
    : `"${string}`
  : Value extends number
    ? `a number ${string}`
    : Value extends boolean
      ? 'a boolean'
      : Value extends (...given: never[]) => unknown
        ? 'a function'
        : Value extends readonly unknown[]
          ? 'a list'
          : 'an object'

/** These kinds in any order, such as `a string or a function`. */
type Words<Kinds extends string, All extends string = Kinds> = Kinds extends Kinds
  ? [Exclude<All, Kinds>] extends [never]
    ? Kinds
    : `${Kinds} or ${Words<Exclude<All, Kinds>>}`
  : never

type AllWords<Kinds extends string> = 'an object' extends Kinds
  ? true | `${string}an object${string}`
  : Words<Kinds> | `${Words<Kinds>}, such as ${string}`

/**
 * The names of all options of a type and their types in words: the compiler reports a missing one. An option that may
 * be an object may also be `true`, if its owner checks it.
 */
export type KnownOptions<Options> = {
  readonly [Name in keyof Options]-?: AllWords<Kind<NonNullable<Options[Name]>>>
}

/** The description of a valid `host`, for errors. */
export const hostWords = 'an object with now(), newId(), timer() and perform()'

/** The description of a journal that can be read and written, for errors. */
export const storeWords = 'an object with append(), read(), list() and delete()'

/** Throws if this is no journal that can be read and written. `owner` is the caller, such as `prune()`. */
export const checkStore = (journal: unknown, owner: string): void =>
  checkType(journal ?? null, `journal of ${owner}`, storeWords)

/** Throws if this is not a run. `owner` is the caller, such as `observe()`. */
export const checkRun = (run: unknown, owner: string): void =>
  checkType(run ?? null, `run of ${owner}`, 'an object with subscribe()')

/** Throws if this is not the state of a run. `owner` is the caller, such as `scratchpad()`. */
export const checkRunState = (state: unknown, owner: string): void =>
  assertOption(Array.isArray(Object(state).history), `${owner} needs a state, such as run.state.`)

/** Throws if this is not an agent, here or elsewhere. `owner` is the caller, such as `fork()`. */
export const checkHandle = (agent: unknown, owner: string): void =>
  checkType(agent ?? null, `agent of ${owner}`, 'an object with resume()')

/** Throws if this is not a model. `owner` is the caller, such as `textMode()`. */
export const checkModel = (model: unknown, owner: string): void =>
  checkType(model ?? null, `model of ${owner}`, 'an object with doStream()')

/** Throws if these are not events. `owner` is the caller, such as `toAgUi()`. */
export function checkEvents(events: unknown, owner: string): void {
  const isIterable = typeof events === 'object' && Symbol.iterator in Object(events)
  const fit = isIterable && (!Array.isArray(events) || events.every((event) => typeof event?.type === 'string'))
  assertOption(fit, `The events of ${owner} must be a list of events, such as run.log.`)
}

/** Throws if this is no step. `owner` is the caller, such as `guardOutput()`. */
export const checkStep = (step: unknown, owner: string, example: string): void =>
  checkType(step ?? null, `step of ${owner}`, `a function, such as ${example}`)

const inLimits = 'use reasonAct({ limits: { iterations: 20 } })'
const inSettings = 'set `settings`: reasonAct({ think: { settings } })'

/** Options of the AI SDK and of its earlier versions, and their replacements. */
export const sdkOptions: Readonly<Record<string, string>> = {
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

/** Throws for an option of the wrong type, and ignores unknown ones. `owner` has the options. */
export function checkTypes(owner: string, options: object, known: object): void {
  for (const [name, words] of Object.entries(known))
    if (typeof words === 'string') checkType(options[name as keyof typeof options], `\`${name}\` of ${owner}`, words)
}

/**
 * Throws for an unknown option, since it would have no effect, and for one of the wrong type. `owner` has the options,
 * such as `agent()`; `elsewhere` has the replacements of foreign ones.
 */
export function refuseUnknown(
  owner: string,
  options: object,
  known: object,
  elsewhere: Readonly<Record<string, string>> = {},
): void {
  checkType(options ?? null, `options of ${owner}`, 'an object')
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const words: unknown = Object.hasOwn(known, name) && known[name as keyof typeof known]
    if (typeof words === 'string') checkType(value, `\`${name}\` of ${owner}`, words)
    if (words) continue
    const names = Object.keys(known)
    const meant = nearest(name, names)
    const moved = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined
    const advice = moved ? `Instead, ${moved}.` : meant ? `Did you mean \`${meant}\`?` : `It has: ${names.join(', ')}.`
    assertOption(false, `${owner} has no option \`${name}\`. ${advice}`)
  }
}

/** Returns the options with the default of each that is not set. */
export const withDefaults = <Options extends object>(defaults: Options, given: Partial<Options> = {}): Options => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
})

/**
 * Returns the name that was probably meant, if one is near enough. `max_iterations` and `maxIterations` count as the
 * same.
 */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const wanted = folded(given)
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = distanceOf(wanted, folded(name))
    if (distance <= Math.max(1, Math.floor(wanted.length / 3)) && distance < (best?.distance ?? Infinity)) {
      best = { name, distance }
    }
  }
  return best?.name
}

/** Folds a name for comparison. Long names are cut: names that differ in the first letters are not near. */
export const folded = (name: string): string =>
  name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '') || name.slice(0, 64)

/** Returns the number of letters that one of two names has and the other lacks. The order of letters does not count. */
const distanceOf = (a: string, b: string): number => Math.max(extra(a, b), extra(b, a))

const extra = (name: string, other: string): number =>
  [...other].reduce((left, letter) => left.replace(letter, ''), name).length

/** The maximum length of an id, child runs included. */
const maxId = 2_000
export const isId = (value: string): boolean => value !== '' && value.length <= maxId && !/\p{Surrogate}/u.test(value)

/** The latest time of a `Date` (ECMA-262), in milliseconds since the epoch. */
export const maxDate = 8.64e15
export const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= maxDate

/** Throws if this cannot be the id of a run, which may become a part of an address and a file name. */
export function checkRunId(id: unknown): asserts id is string {
  checkKey(id)
  assertOption(
    isId(id),
    `The \`id\` of a run must be well-formed Unicode of at most ${maxId} characters, such as crypto.randomUUID().`,
  )
}

/** Throws if a message cannot have this key, because a log with it would be unreadable. */
export const checkMessageKey = (key: unknown): void =>
  checkType(key, '`key` of a message', 'a string, such as crypto.randomUUID()')

/** Asserts that a journal can find and delete this id. Also accepts ids of runs from older versions. */
export function checkKey(id: unknown): asserts id is string {
  assertOption(typeof id === 'string' && id, 'The `id` of a run must be a text that is not empty.')
}

/** Asserts that a journal which stores ids as UTF-8 can find this id. In UTF-8 all ill-formed ones are the same. */
export function checkStoredKey(id: unknown): asserts id is string {
  checkKey(id)
  assertOption(!/\p{Surrogate}/u.test(id), 'The `id` of a run must be well-formed Unicode.')
}

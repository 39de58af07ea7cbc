import { AgentError } from './error.ts'
import { isObject } from './json.ts'

/** Throws an error about an option when it is passed, not in the first run. */
export function assertOption(holds: unknown, problem: string): asserts holds {
  if (!holds) throw new AgentError('options_invalid', problem)
}

/** Returns true if an option is undefined or has one of these types. */
export const isOptional = (value: unknown, ...types: readonly string[]): boolean =>
  value === undefined || (value !== null && types.includes(typeof value))

/** Throws if an option is set and is not of one of the named types, such as `a string or a function`. */
export function checkType(value: unknown, option: string, words: string): void {
  const types = Array.from(words.matchAll(/\ban? (\w+)/g), ([, type = '']) => type)
  assertOption(isOptional(value, ...types), `The ${option} must be ${words}.`)
}

/**
 * The names of all options of a type, so that the compiler finds a missing one. `number` marks the options that must be
 * a number.
 */
export type KnownOptions<Options> = {
  readonly [Name in keyof Options]-?: NonNullable<Options[Name]> extends number ? 'number' : true
}

const inLimits = 'use reasonAct({ limits: { iterations: 20 } })'
const inSettings = 'set `settings`: reasonAct({ think: { settings } })'

/** Options of the AI SDK and of its earlier versions, and what takes their place. */
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

/**
 * Throws for an unknown option, since it would have no effect, and for an option that must be a number and is not.
 * `owner` is what has the options, such as `agent()`; `elsewhere` says what replaces them.
 */
export function refuseUnknown(
  owner: string,
  options: object,
  known: object,
  elsewhere: Readonly<Record<string, string>> = {},
): void {
  assertOption(isObject(options) && !(options instanceof Promise), `The options of ${owner} must be an object.`)
  for (const [name, value] of Object.entries<unknown>(options)) {
    if (value === undefined) continue
    const kind: unknown = Object.hasOwn(known, name) && known[name as keyof typeof known]
    const isRight = kind !== 'number' || (typeof value === 'number' && value >= 0)
    assertOption(isRight, `The \`${name}\` of ${owner} must be a number, 0 or more.`)
    if (kind) continue
    const names = Object.keys(known)
    const meant = nearest(name, names)
    const moved = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined
    const advice = moved ? `Instead, ${moved}.` : meant ? `Did you mean \`${meant}\`?` : `It has: ${names.join(', ')}.`
    assertOption(false, `${owner} has no option \`${name}\`. ${advice}`)
  }
}

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

/** Returns the number of letters to insert, remove, replace, or swap with their neighbour (Damerau and Levenshtein). */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = []
  const at = (i: number, j: number): number => rows[i]?.[j] ?? i + j
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = []
    rows[i] = row
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swaps = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(replaced, swaps ? at(i - 2, j - 2) + 1 : Infinity, at(i - 1, j) + 1, at(i, j - 1) + 1)
    }
  }
  return at(a.length, b.length)
}

/** The maximum length of an id, child runs included. */
const maxId = 2_000
export const isId = (value: string): boolean => value !== '' && value.length <= maxId && !/\p{Surrogate}/u.test(value)

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
  assertOption(isOptional(key, 'string'), 'The `key` of a message must be a string, such as crypto.randomUUID().')

/** Asserts that a journal can find and delete this id. Also accepts ids of runs from older versions. */
export function checkKey(id: unknown): asserts id is string {
  assertOption(typeof id === 'string' && id, 'The `id` of a run must be a text that is not empty.')
}

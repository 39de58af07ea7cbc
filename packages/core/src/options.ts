import { DEV } from '#checks'
import { AgentError } from './error.ts'

/**
 * Throws an error about an option when it is passed, not in the first run. For what also has to hold in production: the
 * sentence is `DEV && sentence`.
 */
export function assertOption(holds: unknown, problem: string | false): asserts holds {
  if (!holds) throw new AgentError('options_invalid', problem)
}

/** Throws unless each of these is a number above 0, or not set. `owner` has them, such as `limits`. */
export function checkAboveZero(owner: string, values: object): void {
  for (const [name, value] of Object.entries(values))
    assertOption(
      value === undefined || (typeof value === 'number' && value > 0),
      DEV && `The \`${name}\` of ${owner} must be a number above 0.`,
    )
}

/** Returns the options with the default of each that is not set. */
export const withDefaults = <Options extends object>(defaults: Options, given: Partial<Options> = {}): Options => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
})

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
    DEV &&
      `The \`id\` of a run must be well-formed Unicode of at most ${maxId} characters, such as crypto.randomUUID().`,
  )
}

/** Throws if a message cannot have this key, because a log with it would be unreadable. */
export const checkMessageKey = (key: unknown): void =>
  assertOption(
    key === undefined || typeof key === 'string',
    DEV && 'The `key` of a message must be a string, such as crypto.randomUUID().',
  )

/** Asserts that a journal can find and delete this id. Also accepts ids of runs from older versions. */
export function checkKey(id: unknown): asserts id is string {
  assertOption(typeof id === 'string' && id, DEV && 'The `id` of a run must be a text that is not empty.')
}

/** Asserts that a journal which stores ids as UTF-8 can find this id. In UTF-8 all ill-formed ones are the same. */
export function checkStoredKey(id: unknown): asserts id is string {
  checkKey(id)
  assertOption(!/\p{Surrogate}/u.test(id), DEV && 'The `id` of a run must be well-formed Unicode.')
}

import { isObject } from '../json.ts'
import { createRedactor } from './createRedactor.ts'
import type { FoundSecret } from './marks.ts'
import type { RedactOptions } from './RedactOptions.ts'

export interface Redacted<T> {
  readonly value: T
  readonly found: readonly FoundSecret[]
}

/**
 * Events, a state or the file of a run without the secrets in them: keys and tokens of known shapes, logins in addresses and headers,
 * members whose name or schema says that they are secret, and the same secret wherever else it stands. What comes out is as valid as
 * what went in. Of any other data every member counts by its name. It knows no secret that looks like any other word.
 */
export function redact<T>(data: T, options: RedactOptions = {}): Redacted<T> {
  const redactor = createRedactor(options)
  const value = isLogged(data) ? redactor.redact(data) : redactor.redact({ data }).data
  return { value, found: redactor.found() }
}

/** Whether it is of a log, whose own members are nobody's data: events, states, run files, and lists of them. */
function isLogged(data: unknown): boolean {
  if (Array.isArray(data)) return data.some(isLogged)
  return isObject(data) && ['seq', 'runId', 'events'].some((member) => Object.hasOwn(data, member))
}

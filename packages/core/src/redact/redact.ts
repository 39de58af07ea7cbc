import { isObject } from '../json.ts'
import { createRedactor } from './createRedactor.ts'
import type { FoundSecret } from './marks.ts'
import type { RedactOptions } from './RedactOptions.ts'

export interface Redacted<T> {
  readonly value: T
  readonly found: readonly FoundSecret[]
}

/**
 * Removes secrets from events, a state or a run file: keys and tokens of known shapes, logins in addresses and headers,
 * members whose name or schema marks them as secret, and the same secret wherever else it occurs. The result is as
 * valid as the input. In other data every member is judged by its name. It cannot find a secret that looks like an
 * ordinary word.
 */
export function redact<T>(data: T, options: RedactOptions = {}): Redacted<T> {
  const redactor = createRedactor(options)
  const value = isLogged(data) ? redactor.redact(data) : redactor.redact({ data }).data
  return { value, found: redactor.found() }
}

/** Returns true for log data, whose own members are not foreign data: events, states, run files, and lists of them. */
function isLogged(data: unknown): boolean {
  if (Array.isArray(data)) return data.some(isLogged)
  return isObject(data) && ['seq', 'runId', 'events'].some((member) => Object.hasOwn(data, member))
}

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
 * what went in. It knows no secret that looks like any other word.
 */
export function redact<T>(data: T, options: RedactOptions = {}): Redacted<T> {
  const redactor = createRedactor(options)
  const value = redactor.redact(data)
  return { value, found: redactor.found() }
}

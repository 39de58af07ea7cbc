import type { Observer } from '../run.ts'
import { createRedactor } from './createRedactor.ts'
import type { RedactOptions } from './RedactOptions.ts'
import { isPiece, withoutPieces } from './withoutPieces.ts'

/**
 * An observer that is told everything without the secrets in it, such as one that sends it to a server. Of text that still streams it is
 * told when it is whole.
 */
export function redacting(observer: Observer, options: RedactOptions = {}): Observer {
  const { redact } = createRedactor(options)
  const hooks = Object.entries(observer).map(([name, hook]) => {
    if (typeof hook !== 'function' || name === 'onError') return [name, hook]
    const tell = (...told: readonly unknown[]): unknown => {
      if (isPiece(told[0])) return undefined
      return (hook as (...told: unknown[]) => unknown).apply(observer, redact(told.map(withoutPieces)))
    }
    return [name, tell]
  })
  return Object.fromEntries(hooks)
}

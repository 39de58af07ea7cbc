import type { Observer } from '../run.ts'
import { createRedactor } from './createRedactor.ts'
import type { RedactOptions } from './RedactOptions.ts'
import { isPiece, withoutPieces } from './withoutPieces.ts'

/**
 * Wraps an observer so that it receives everything without secrets, for example to send it to a server. It receives
 * streamed text once it is complete.
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

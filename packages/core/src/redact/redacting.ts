import type { Observer } from '../run.ts'
import { createRedactor } from './createRedactor.ts'
import type { RedactOptions } from './RedactOptions.ts'

/** An observer that is told everything without the secrets in it, such as one that sends it to a server. */
export function redacting(observer: Observer, options: RedactOptions = {}): Observer {
  const { redact } = createRedactor(options)
  const hooks = Object.entries(observer).map(([name, hook]) => {
    if (typeof hook !== 'function' || name === 'onError') return [name, hook]
    return [
      name,
      (...told: readonly unknown[]) => (hook as (...told: unknown[]) => unknown).apply(observer, redact([...told])),
    ]
  })
  return Object.fromEntries(hooks)
}

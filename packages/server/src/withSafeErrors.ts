import type { AnyEvent } from '@interleave/core/observe'
import { redact } from '@interleave/core/observe'

/**
 * An event whose error gives no secret away. What goes wrong is put into words by providers and tools, and such words may name a key of
 * the server or an address with a login in it, which the user has nothing to do with.
 */
export function withSafeErrors<E extends AnyEvent>(event: E): E {
  const hasFailed = 'error' in event || (event.type === 'rested' && event.signal.type === 'failed')
  return hasFailed ? redact(event).value : event
}

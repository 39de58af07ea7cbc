import type { Event } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'

/** Returns the turn as the model gave it. */
export const turnOf = ({
  type: _,
  seq: __,
  at: ___,
  iteration: ____,
  readUntil: _____,
  ...turn
}: EventOf<'thought'>): object => turn

/** Returns the outcome as the tool gave it. */
export const outcomeOf = ({ result, output, error }: EventOf<'observed'>): object => ({
  result,
  ...(output !== undefined && { output }),
  ...(error && { error }),
})

/** Returns the turn of a side call: an answer as it was noted, or the error of one that failed. */
export function sideTurn(found: Event): object {
  const noted = found.type === 'noted' ? found.value : undefined
  const { error } = Object(noted) as { readonly error?: object }
  return {
    model: { provider: 'recorded', modelId: 'recorded' },
    parts: error ? [] : [{ type: 'text', text: String(noted) }],
    usage: 'usage' in found ? found.usage : undefined,
    ms: 0,
    ...(error && { error }),
  }
}

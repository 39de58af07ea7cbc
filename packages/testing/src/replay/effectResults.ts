import type { Event } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'

/** Returns the turn as the model gave it. */
export const turnOf = ({
  type: _,
  seq: __,
  at: ___,
  iteration: ____,
  heard: _____,
  ...turn
}: EventOf<'thought'>): object => turn

/** Returns the outcome as the tool gave it. */
export const outcomeOf = ({ result, output, error }: EventOf<'observed'>): object => ({
  result,
  ...(output !== undefined && { output }),
  ...(error && { error }),
})

/** Returns the turn of a side call: a judgement as it was noted, a summary, or the error of one that failed. */
export function sideTurn(found: Event): object {
  const noted = found.type === 'noted' ? found.value : undefined
  const { error } = Object(noted) as { readonly error?: object }
  const text = found.type === 'noted' ? String(noted) : summaryIn(found)
  return {
    model: { provider: 'recorded', modelId: 'recorded' },
    parts: error ? [] : [{ type: 'text', text }],
    usage: 'usage' in found ? found.usage : undefined,
    ms: 0,
    ...(error && { error }),
  }
}

/** Returns the summary, which follows an introductory paragraph. */
function summaryIn(found: Event): string {
  const messages = found.type === 'compacted' ? found.messages : []
  const summary = messages.find(({ providerOptions }) => providerOptions?.interleave?.kind === 'summary')
  const [part] = Array.isArray(summary?.content) ? summary.content : []
  return part?.type === 'text' ? part.text.slice(part.text.indexOf('\n\n') + 2) : '(a summary)'
}

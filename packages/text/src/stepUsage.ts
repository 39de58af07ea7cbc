import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { localHost } from '@interleave/core'
import { estimatedUsage, estimateMessages, estimateText } from '@interleave/core/internal'

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>
type Counts = Readonly<Record<string, number | undefined>>

/** Limits of the text and the time after a whole step, until a server reports its tokens. */
const mostCharacters = 120
const mostMs = 1_000

/**
 * Reads the end of a stream whose step is whole, since servers report their tokens there. Stops early if the server does
 * not end by itself soon: the model would continue to write.
 */
export async function readEnd(
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
): Promise<{ readonly text: string; readonly finish?: FinishPart }> {
  const cancel = localHost.timer(mostMs, () => void reader.cancel().catch(() => {}))
  let text = ''
  try {
    for (let parts = 0; text.length <= mostCharacters && parts <= mostCharacters; parts++) {
      const { done, value } = await reader.read()
      if (done) break
      if (value.type === 'finish') return { text, finish: value }
      if (value.type === 'text-delta') text += value.delta
    }
  } catch {
    // The step is whole, however its stream ends.
  } finally {
    cancel()
  }
  return { text }
}

/** The usage of an abandoned stream, which has reported no tokens. */
export const unknownUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** The tokens of one call: those that the server reported, and estimates of the others, so that limits count them. */
export interface StepUsage {
  readonly usage: LanguageModelV4Usage
  readonly isEstimated: boolean
}

/** Returns the usage of a call from what was sent and written. Estimates a half that the server did not report. */
export function usageOf(
  { usage = unknownUsage }: Partial<Pick<FinishPart, 'usage'>>,
  { prompt }: Pick<LanguageModelV4CallOptions, 'prompt'>,
  written: string,
): StepUsage {
  const knowsInput = isReported(usage.inputTokens)
  const knowsOutput = isReported(usage.outputTokens) || written === ''
  if (knowsInput && knowsOutput) return { usage, isEstimated: false }
  return {
    usage: {
      ...usage,
      inputTokens: knowsInput ? usage.inputTokens : { ...unknownUsage.inputTokens, total: estimateMessages(prompt) },
      outputTokens: knowsOutput ? usage.outputTokens : { ...unknownUsage.outputTokens, total: estimateText(written) },
    },
    isEstimated: true,
  }
}

/** No call has 0 tokens: some servers report that where they do not count. */
const isReported = (counts: Counts | undefined): boolean =>
  Object.values(counts ?? {}).some((count) => typeof count === 'number' && count > 0)

/** Adds the usage of several calls for one step. */
export const addStepUsage = (a: StepUsage, b: StepUsage): StepUsage => ({
  usage: {
    inputTokens: sum(a.usage.inputTokens, b.usage.inputTokens),
    outputTokens: sum(a.usage.outputTokens, b.usage.outputTokens),
  },
  isEstimated: a.isEstimated || b.isEstimated,
})

function sum<C extends Counts>(a: C, b: C): C {
  const add = (one: number | undefined, other: number | undefined): number | undefined =>
    one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0)
  return Object.fromEntries(Object.keys(a).map((count) => [count, add(a[count], b[count])])) as C
}

/** Returns the members of a finish part, with a mark if tokens are estimated. */
export const finishedWith = (
  { usage, isEstimated }: StepUsage,
  { providerMetadata }: Partial<Pick<FinishPart, 'providerMetadata'>>,
): Pick<FinishPart, 'usage' | 'providerMetadata'> => ({
  usage,
  ...((providerMetadata || isEstimated) && {
    providerMetadata: { ...providerMetadata, ...(isEstimated && estimatedUsage) },
  }),
})

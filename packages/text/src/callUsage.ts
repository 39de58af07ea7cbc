import type { LanguageModelV4Usage } from '@ai-sdk/provider'

type Counts = Readonly<Record<string, number | undefined>>

/** A stream that was given up has told no tokens. */
export const unknownUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** Of several calls for one step. What none of them tells stays unknown. */
export const addCallUsage = (a: LanguageModelV4Usage, b: LanguageModelV4Usage): LanguageModelV4Usage => ({
  inputTokens: sum(a.inputTokens, b.inputTokens),
  outputTokens: sum(a.outputTokens, b.outputTokens),
})

function sum<C extends Counts>(a: C, b: C): C {
  const add = (one: number | undefined, other: number | undefined): number | undefined =>
    one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0)
  return Object.fromEntries(Object.keys(a).map((count) => [count, add(a[count], b[count])])) as C
}

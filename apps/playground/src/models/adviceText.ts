/** Advice for the user: the problem, what it means, and how to solve it. */
export interface Advice {
  readonly title: string
  readonly explanation: string
  readonly steps: readonly string[]
}

/** The advice with `{name}` and the like replaced by what they stand for. */
export function withWords(advice: Advice, words: Readonly<Record<string, string>>): Advice {
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole)
  return { title: fill(advice.title), explanation: fill(advice.explanation), steps: advice.steps.map(fill) }
}

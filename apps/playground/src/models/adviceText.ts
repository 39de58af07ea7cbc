/** What to tell a person: what happened, what it means, and what to do about it. */
export interface Advice {
  readonly title: string
  readonly explanation: string
  readonly steps: readonly string[]
}

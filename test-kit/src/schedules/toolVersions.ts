/** How the tool that asks for approval is written. Between two loads of a page somebody may have written it otherwise. */
export interface ToolVersion {
  readonly name: string
  /** A default that its schema fills in. */
  readonly currency: string
  /** What its schema makes of the amount. To do so twice is wrong. */
  readonly factor: number
  /** What its policy asks with. */
  readonly prompt: string
  /** What the form of its input says. */
  readonly description: string
}

const first: ToolVersion = { name: 'first', currency: 'EUR', factor: 100, prompt: 'Pay?', description: 'In cents.' }

/** The one that a run begins with, and the ones that it may go on with. */
export const toolVersions: readonly [ToolVersion, ...ToolVersion[]] = [
  first,
  { ...first, name: 'other default', currency: 'CHF' },
  { ...first, name: 'other transform', factor: 1_000 },
  { ...first, name: 'other prompt', prompt: 'Pay at once?' },
  { ...first, name: 'other schema', description: 'In tenths of a cent.' },
]

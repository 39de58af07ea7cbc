/** A version of the tool that asks for approval. Between two loads of a page its author may have changed it. */
export interface ToolVersion {
  readonly name: string
  /** A default that its schema fills in. */
  readonly currency: string
  /** The factor by which its schema multiplies the amount. To apply it twice is wrong. */
  readonly factor: number
  /** The prompt of its policy. */
  readonly prompt: string
  /** The description in the form of its input. */
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

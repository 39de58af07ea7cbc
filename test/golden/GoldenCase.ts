import type { Agent, Run } from '@interleave/core'

/** A run that is the same byte for byte each time: an agent with a scripted model, and a person who keeps to a script. */
export interface GoldenCase {
  /** The name of its strategy, and of its files. */
  readonly name: string
  readonly agent: Agent
  readonly input: string
  /** The actions at each rest, one after another. */
  readonly whenSettled?: readonly ((run: Run) => unknown)[]
}

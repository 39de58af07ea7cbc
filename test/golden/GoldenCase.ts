import type { Agent, Run } from '@interleave/core'

/** A run that is the same byte for byte each time: an agent with a scripted model, and a person who keeps to a script. */
export interface GoldenCase {
  /** What strategy it shows. The name of its files. */
  readonly name: string
  readonly agent: Agent
  readonly input: string
  /** What is done at each rest, one after another. */
  readonly atRest?: readonly ((run: Run) => unknown)[]
}

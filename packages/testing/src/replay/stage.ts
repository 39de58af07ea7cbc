import type { Agent, Step } from '@interleave/core'
import type { Recording } from './recording.ts'

/** The object that plays a log. */
export interface Stage {
  readonly recording: Recording
  /** True if the sources of tools are read, since a model that is called needs the descriptions of their tools. */
  readonly readsSources: boolean
  /** True if the agent's own tools run. */
  readonly runsTools: boolean
  /** The number of events that the replay has so far. */
  readonly length: () => number
  /** Resolves when the replay has this many events. Never resolves once the replay is over. */
  readonly until: (length: number) => Promise<void>
  /** Begins the work of the run that plays the log. */
  enter(run: Parameters<Step>[0]): void
  /** Returns an agent that plays the log of a child run. */
  childAgent<Output>(agent: Agent<Output>, runId: string): Agent<Output>
}

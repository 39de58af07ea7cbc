import type { Held } from './life.ts'
import type { ToolName } from './scheduleTools.ts'

/** A run to play, and how often the world may disturb it. */
export interface Scenario {
  readonly name: string
  /** The calls that the model makes, one list a turn. */
  readonly turns: readonly (readonly ToolName[])[]
  /** The calls that the model of the child run makes, which `delegate` starts. */
  readonly childTurns?: readonly (readonly ToolName[])[]
  /** Promises that are held back besides writes to the journal and the work of tools. */
  readonly held?: readonly Held[]
  /** The maximum number of each of these; none by default. */
  readonly most?: Partial<Record<Disturbance, number>>
  /** A page that is loaded again may have other tools. */
  readonly hasVersions?: true
  /** Before the first turn a step uses one key for two callers. */
  readonly hasSteps?: true
  /** A user can allow calls for good, in a store that outlives the pages. */
  readonly hasStore?: true
  /** The run is in a server, and a client looks at it. */
  readonly isServed?: true
  /** Tabs share the run: one executes it, and another one follows. */
  readonly isShared?: true
  /** The model works in the last node of a graph with a fork. */
  readonly hasGraph?: true
}

export type Disturbance =
  | 'crash'
  | 'refuse'
  | 'say'
  /** A message that interrupts the work. */
  | 'hurry'
  | 'stop'
  | 'edit'
  | 'refusal'
  | 'stale'
  | 'timer'
  | 'look'
  | 'move'
  /** Another page resumes the run while this one still works. */
  | 'takeover'
  /** A user does something in a page after another one has taken over. */
  | 'late'
  | 'always'
  | 'disallow'
  | 'takeBack'

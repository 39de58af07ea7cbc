// May a call run that may already have run? Here and nowhere else: after a reload, and after an interruption in this page.

import { mayHaveRun } from '../call.ts'
import type { Call } from '../state.ts'
import type { Interruptions, ToolSpec } from '../tool.ts'

/** The call as the log has it, and what its last attempt came to. */
interface Attempted {
  readonly call?: Call | undefined
  /** True if an attempt in this page was interrupted. False before the first one, as after a reload. */
  readonly isInterrupted: boolean
}

/**
 * Returns true if only a user can say whether the call runs: it may already have run, and its effect must not happen
 * twice. A tool that starts a run finds after a reload where it was, but not after an interruption here, and a user may
 * have decided against it.
 */
export const needsUser = ({ effect, resumes }: ToolSpec, { call, isInterrupted }: Attempted): boolean =>
  effect === 'atMostOnce'
    ? isInterrupted || mayHaveRun(call)
    : resumes === true && (isInterrupted || (call?.decision ?? 'again') !== 'again')

/** The number of times that an interrupted call is repeated without asking. */
const mostRepetitions = 9

/** Returns true if an attempt follows the one that was interrupted: as a user says, or unasked a limited number of times. */
export const isTriedAgain = (spec: ToolSpec, asker: Interruptions | undefined, repetitions: number): boolean =>
  needsUser(spec, { isInterrupted: true }) ? asker !== undefined : repetitions < mostRepetitions

import type { Action } from '@interleave/server'

/** An intended action, and its run. */
export interface AdmissionAsked {
  readonly action: Action
  /** As the journal has it; empty where it is about none. */
  readonly runId: string
}

/** The user object's decision. */
export interface Admission {
  /** The list has the run. */
  readonly isListed: boolean
}

/** They may have one run more at work. */
const working: readonly Action[] = ['say', 'reply', 'resume']
/** They bring a run into being. */
const beginning: readonly Action[] = ['start', 'fork', 'import']

export const mayWork = (action: Action): boolean => working.includes(action) || mayBegin(action)
export const mayBegin = (action: Action): boolean => beginning.includes(action)

import type { AgentHandle } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { PageFunction } from '../../packages/connect/src/pageCalls.ts'

/** A place where runs work: a tab, a worker, a server. */
export interface RunPlace {
  /** One of `runSuiteAgents()`, as one more page or device has it. */
  open(name: string, options?: OpenOptions): AgentHandle
  /** The runs that are kept there, to be read, deleted and forked. */
  readonly journal: Journal
  /** The documented differences of this host. The cases check that they are so. */
  readonly differences?: readonly RunDifference[]
  /** Called when a case is over. */
  close?(): unknown
}

export interface OpenOptions {
  /** The functions of page tools, as far as this page has them. */
  readonly tools?: Readonly<Record<string, PageFunction>>
}

/**
 * What may be otherwise from place to place.
 *
 * - `takesOver`: who resumes a run works on it, and whoever had it before rests with `journal_conflict`.
 * - `noHistory`: messages that went before are refused.
 * - `ownsWords`: of what is forked, only the words of users can be changed.
 */
export type RunDifference = 'takesOver' | 'noHistory' | 'ownsWords'

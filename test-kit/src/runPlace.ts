import type { AgentHandle } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { PageFunction } from '../../packages/connect/src/pageCalls.ts'

/** A host of runs: a tab, a worker, a server. */
export interface RunPlace {
  /** Returns one of `runSuiteAgents()`, as another page or device has it. */
  open(name: string, options?: OpenOptions): AgentHandle
  /** The journal of its runs, to be read, deleted and forked. */
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
 * A difference between hosts.
 *
 * - `takesOver`: resuming a run makes the caller its owner, and the previous owner settles with `journal_conflict`.
 * - `noHistory`: messages of an earlier conversation are rejected.
 * - `ownsWords`: a fork may change only messages of users.
 */
export type RunDifference = 'takesOver' | 'noHistory' | 'ownsWords'

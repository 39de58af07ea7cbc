import type { Imports } from './Imports.ts'

/** The host of a generated program's agent. */
export type ProgramHost = 'page' | 'worker' | 'server'

/** A file of a program that is being written. */
export interface Writing {
  readonly imports: Imports
  /** Declarations before the agent, by the variable. */
  readonly before: Map<string, string>
  readonly host: ProgramHost
  /** The address of this page, where its shop is. */
  readonly origin: string
}

/** An agent that is not written as code. The message says why. */
export class NoCode extends Error {}

export const byFile = 'Load the file itself, with loadAgents() of @interleave/config.'

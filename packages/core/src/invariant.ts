import { AgentError, isAgentError } from './error.ts'

/** The rules of docs/architecture.md that are checked while a run works. */
export type Invariant = 'I1' | 'I2'

/** Throws `invariant_broken` if a rule that everything else relies on does not hold. It ends the run, and nothing is done. */
export function invariant(holds: boolean, rule: Invariant, broken: string): void {
  if (!holds) throw new AgentError('invariant_broken', `${rule} is broken: ${broken}`)
}

export const isInvariantBroken = (error: unknown): boolean => isAgentError(error) && error.code === 'invariant_broken'

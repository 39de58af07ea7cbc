import { AgentError } from './error.ts'

/** Throws what is wrong with an option: where it is given, and not in the first run. */
export function demand(holds: unknown, complaint: string): asserts holds {
  if (!holds) throw new AgentError('options_invalid', complaint)
}

/** Returns true if an option is undefined or has one of these types. */
export const isOptional = (value: unknown, ...types: readonly string[]): boolean =>
  value === undefined || (value !== null && types.includes(typeof value))

import { cached } from './cached.ts'
import type { RunContext } from './run.ts'

/** The owner of each note, per running run. The prompt is the same object wherever the run is passed on. */
const owners = new WeakMap<RunContext['prompt'], Map<string, object>>()

/**
 * Claims a note of the run for one owner. Returns false if another owner has it: two owners of one note would each take
 * the other's work for their own.
 */
export function claimNote({ prompt }: RunContext, key: string, owner: object): boolean {
  const known = cached(owners, prompt, () => new Map<string, object>())
  if (!known.has(key)) known.set(key, owner)
  return known.get(key) === owner
}

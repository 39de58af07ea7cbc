import { cached } from './cached.ts'
import type { RunContext } from './run.ts'

/** Whose note it is, for each run at work. The maker of its messages is the same wherever the run is handed on to. */
const owners = new WeakMap<RunContext['prompt'], Map<string, object>>()

/** Whether a note of the run is its owner's alone. Two that share one would each take the other's work for their own. */
export function claimNote({ prompt }: RunContext, key: string, owner: object): boolean {
  const known = cached(owners, prompt, () => new Map<string, object>())
  if (!known.has(key)) known.set(key, owner)
  return known.get(key) === owner
}

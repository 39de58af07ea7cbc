import { DEV } from '#checks'
import { assertOption } from '../options.ts'
import type { RunContext } from '../run.ts'

/** Returns the agent's own instructions, or those of the plan, with the additions of its steps. */
export function instructionsOf(run: RunContext): string | undefined {
  const own = run.plan.instructions ?? ownInstructions(run)
  const { instructions } = run.agent.backend
  return instructions ? [own, instructions].filter(Boolean).join('\n\n') : own
}

/** Returns the agent's own instructions. Throws if its function returns no string, such as a promise. */
export function ownInstructions({ agent, state, context }: RunContext): string | undefined {
  const { instructions } = agent
  if (typeof instructions !== 'function') return instructions
  const given = instructions(state, { context })
  // An async function may reject, too.
  if (typeof given !== 'string') Promise.resolve(given).catch(() => {})
  assertOption(
    given === undefined || given === null || typeof given === 'string',
    DEV && 'The result of `instructions` must be a string, and no promise.',
  )
  return given
}

import { AgentError, messageOf } from '../error.ts'
import type { RunContext } from '../run.ts'
import type { Wiring } from './wiring.ts'

interface Visited {
  /** As the node saw it. */
  readonly run: RunContext
  readonly wiring: Wiring
}

/** Where to go from a node: one target, or those of a fork. A router is asked, and held to its targets. */
export async function follow({ run, wiring }: Visited, node: string): Promise<readonly string[]> {
  const router = wiring.routers.get(node)
  if (!router) return wiring.targets.get(node) ?? []
  const place = `The router of "${node}" in the graph "${wiring.name}"`
  let chosen: unknown
  try {
    chosen = await router.choose(run)
  } catch (error) {
    throw new AgentError('step_failed', `${place} failed: ${messageOf(error)}`, { cause: error })
  }
  if (typeof chosen === 'string' && router.targets.includes(chosen)) return [chosen]
  const given = chosen === undefined ? 'nothing' : JSON.stringify(chosen)
  const targets = router.targets.map((target) => JSON.stringify(target)).join(', ')
  throw new AgentError('step_failed', `${place} chose ${given}, which is none of its targets: ${targets}.`)
}

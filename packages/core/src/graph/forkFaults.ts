import { type Fault, listed } from './fault.ts'
import type { Branch, Fork } from './findForks.ts'
import type { Vertex } from './vertex.ts'

/**
 * Branches have nothing in common before they join. Only one of them may think: a run has one conversation, and turns of two
 * branches would mix in it.
 */
export function forkFaults(fork: Fork, thinking: ReadonlySet<string>): readonly Fault[] {
  const returning = fork.branches.filter(({ nodes }) => nodes.has(fork.from))
  if (returning.length > 0) return returning.map((branch) => comesBack(fork, branch))
  const talking = fork.branches.filter((branch) => thinks(branch, thinking))
  return [...meetings(fork), ...(talking.length > 1 ? [talkAtOnce(fork, talking)] : [])]
}

/** Whether a branch holds a node that asks a model. */
export function thinks({ nodes }: Branch, thinking: ReadonlySet<string>): boolean {
  for (const { name } of nodes) if (thinking.has(name)) return true
  return false
}

function meetings({ from, join, branches }: Fork): Fault[] {
  const owners = new Map<Vertex, string>()
  return branches.flatMap(({ target: { name }, nodes }): Fault[] => {
    const shared = [...nodes].find((node) => owners.has(node))
    const both = shared ? [owners.get(shared) ?? '', name] : []
    for (const node of nodes) owners.set(node, name)
    if (!shared) return []
    const message = `the branches ${listed(both)} of the fork '${from.name}' meet in '${shared.name}' before all join in '${join.name}'`
    const hint = 'let all branches join in one node, or give those that meet earlier a fork of their own'
    return [{ type: 'fork', nodes: [from.name, ...both], message, hint }]
  })
}

function comesBack({ from }: Fork, { target }: Branch): Fault {
  const message = `the branch '${target.name}' of the fork '${from.name}' comes back to it before the branches join`
  const hint = 'let the branches join, and go back from there'
  return { type: 'fork', nodes: [from.name, target.name], message, hint }
}

function talkAtOnce({ from }: Fork, talking: readonly Branch[]): Fault {
  const names = talking.map(({ target }) => target.name)
  const message = `the branches ${listed(names)} of the fork '${from.name}' all think, and a run has one conversation`
  const hint = 'put one behind the other, or give their agents runs of their own with inOwnRun()'
  return { type: 'fork', nodes: [from.name, ...names], message, hint }
}

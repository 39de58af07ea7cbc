import { type Fault, listed } from './fault.ts'
import type { Fork } from './findForks.ts'
import type { Vertex } from './vertex.ts'

interface Branch {
  readonly name: string
  readonly nodes: ReadonlySet<Vertex>
}

/**
 * Branches have nothing in common before they join. Only one of them may think: a run has one conversation, and turns of two
 * branches would mix in it.
 */
export function forkFaults(fork: Fork, thinking: ReadonlySet<string>): readonly Fault[] {
  const branches = fork.branches.map(({ target, nodes }) => ({ name: target.name, nodes: nodes() }))
  const returning = branches.filter(({ nodes }) => nodes.has(fork.from))
  if (returning.length > 0) return returning.map((branch) => comesBack(fork, branch))
  const talking = branches.filter(({ nodes }) => thinks(nodes, thinking))
  return [...meetings(fork, branches), ...(talking.length > 1 ? [talkAtOnce(fork, talking)] : [])]
}

/** Returns true if one of these calls a model. */
export function thinks(nodes: Iterable<Vertex>, thinking: ReadonlySet<string>): boolean {
  for (const { name } of nodes) if (thinking.has(name)) return true
  return false
}

function meetings({ from, join }: Fork, branches: readonly Branch[]): Fault[] {
  const owners = new Map<Vertex, string>()
  return branches.flatMap(({ name, nodes }): Fault[] => {
    const shared = [...nodes].find((node) => owners.has(node))
    const both = shared ? [owners.get(shared) ?? '', name] : []
    for (const node of nodes) owners.set(node, name)
    if (!shared) return []
    const message = `the branches ${listed(both)} of the fork '${from.name}' meet in '${shared.name}' before all join in '${join.name}'`
    const hint = 'let all branches join in one node, or give those that meet earlier a fork of their own'
    return [{ type: 'fork', nodes: [from.name, ...both], message, hint }]
  })
}

function comesBack({ from }: Fork, { name }: Branch): Fault {
  const message = `the branch '${name}' of the fork '${from.name}' comes back to it before the branches join`
  const hint = 'let the branches join, and go back from there'
  return { type: 'fork', nodes: [from.name, name], message, hint }
}

function talkAtOnce({ from }: Fork, talking: readonly Branch[]): Fault {
  const names = talking.map(({ name }) => name)
  const message = `the branches ${listed(names)} of the fork '${from.name}' all think, and a run has one conversation`
  const hint = 'put one behind the other, or give their agents runs of their own with inOwnRun()'
  return { type: 'fork', nodes: [from.name, ...names], message, hint }
}

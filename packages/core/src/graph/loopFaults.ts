import { type Fault, listed, namesOf } from './fault.ts'
import type { Loop } from './findLoops.ts'

/** A loop needs a router on one of its nodes, and with it a way out. */
export function loopFaults({ nodes, path, guarded, closed }: Loop): readonly Fault[] {
  if (guarded && !closed) return []
  const names = namesOf(nodes)
  if (guarded) return [{ type: 'no-exit', nodes: names, ...noExit(namesOf(path)) }]
  if (names.length > 1) return [{ type: 'cycle', nodes: names, ...noCondition(namesOf(path)) }]
  return [{ type: 'self-loop', nodes: names, ...noConditionOn(names[0] ?? '') }]
}

type Text = Pick<Fault, 'message' | 'hint'>

const noCondition = (path: readonly string[]): Text => ({
  message: `cycle detected with no exit condition: ${listed(path)}`,
  hint: 'let a router() follow one of these nodes, with END or a node outside of the cycle among its targets',
})
const noConditionOn = (name: string): Text => ({
  message: `self-loop detected on node '${name}' with no exit condition`,
  hint: 'use a router() instead of a plain edge for loops',
})
const noExit = (path: readonly string[]): Text => ({
  message: `cycle detected whose conditions never exit: ${listed(path)}`,
  hint: 'add END or a node outside of the cycle to the targets of a router',
})

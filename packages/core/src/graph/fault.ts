import type { Vertex } from './vertex.ts'

/** A problem of a graph. `nodes` are those concerned. */
export interface Fault {
  readonly type: FaultType
  readonly nodes: readonly string[]
  readonly message: string
  /** The way to fix it. */
  readonly hint: string
}
export type FaultType =
  | 'name'
  | 'start'
  | 'edge'
  | 'node'
  | 'cycle'
  | 'self-loop'
  | 'no-exit'
  | 'unreachable'
  | 'dead-end'
  | 'fork'

export const namesOf = (vertices: readonly Vertex[]): readonly string[] => vertices.map(({ name }) => name)

/** Names as a list that stays readable. */
export function listed(names: readonly string[]): string {
  if (names.length <= 12) return `[${names.join(', ')}]`
  return `[${names.slice(0, 10).join(', ')}, … ${names.length - 11} more …, ${names.at(-1)}]`
}

/** Faults as the text of one error, each with its hint. */
export function describeFaults(faults: readonly Fault[]): string {
  const shown = faults.slice(0, 50).map(({ message, hint }) => `  ${message}\n  hint: ${hint}`)
  if (faults.length > shown.length) shown.push(`  and ${faults.length - shown.length} more`)
  return shown.join('\n')
}

import { type Edge, type Fault, findFaults } from '@interleave/core/graph'
import { expect, it } from 'vitest'
import { readRows } from './data.ts'
import { needsData } from './needsData.ts'
import { tallying } from './tally.ts'

const file = 'graphs.jsonl'
interface GraphRow {
  readonly id: string
  readonly nodes: readonly string[]
  readonly edges: readonly Edge[]
  readonly entry?: string | null
  readonly expect: 'ok' | 'pure-cycle' | 'self-loop'
  readonly cycles: readonly (readonly string[])[]
  readonly self_loops: readonly string[]
}

const rows = readRows<GraphRow>(file)
const tallyRow = tallying({ file, of: rows.length })
needsData(file)

/** The nodes of the faults of one kind, each sorted, since only their set counts. */
const nodesOf = (faults: readonly Fault[], type: Fault['type']): string[][] =>
  faults.filter((fault) => fault.type === type).map(({ nodes }) => [...nodes].sort())

const verdictOf = (cycles: readonly unknown[], selfLoops: readonly unknown[]): GraphRow['expect'] =>
  cycles.length > 0 ? 'pure-cycle' : selfLoops.length > 0 ? 'self-loop' : 'ok'

it.for(rows)('judges $id as recorded', ({ id, nodes, edges, entry, ...expected }, { task }) => {
  tallyRow(task, 'cycles and self-loops', { row: id, parts: 1 })

  const faults = findFaults({ nodes, edges, ...(entry && { start: entry }) })
  const cycles = nodesOf(faults, 'cycle')
  const selfLoops = nodesOf(faults, 'self-loop').flat()

  expect(verdictOf(cycles, selfLoops)).toBe(expected.expect)
  expect(cycles.sort()).toEqual(expected.cycles.map((cycle) => [...cycle].sort()).sort())
  expect(selfLoops.sort()).toEqual([...expected.self_loops].sort())
})

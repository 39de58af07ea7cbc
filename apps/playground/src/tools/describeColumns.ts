import { tool } from '@interleave/core'
import { z } from 'zod'
import type { Desk } from '../tables/desk.ts'
import { summarizeTable } from '../tables/summarise.ts'
import type { Cell } from '../tables/table.ts'

/** A tool that describes the columns of the open file. */
export const describeColumns = (desk: Desk) =>
  tool({
    description: 'Describes the columns of the open data file: type, range, mean, distinct values and empty cells.',
    effect: 'readOnly',
    timeoutMs: 600_000,
    inputSchema: z.object({}),
    execute: async (_, context) => {
      const { columns, rows } = await desk.table(context)
      return columns.map((column) => ({ column, ...describe(rows.map((row) => row[column] ?? null)) }))
    },
  })

function describe(cells: readonly Cell[]) {
  const filled = cells.filter((cell) => cell !== null)
  const empty = cells.length - filled.length
  if (filled.length > 0 && filled.every((cell) => typeof cell === 'number')) {
    return {
      type: 'number',
      empty,
      min: summarizeTable(filled, 'min'),
      mean: summarizeTable(filled, 'mean'),
      max: summarizeTable(filled, 'max'),
    }
  }
  const distinct = new Set(filled)
  return { type: 'text', empty, distinct: distinct.size, examples: [...distinct].slice(0, 3).map(String) }
}

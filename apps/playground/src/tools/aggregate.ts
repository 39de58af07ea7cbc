import { tool } from '@interleave/core'
import { z } from 'zod'
import type { Desk } from '../tables/desk.ts'
import { groupRows, operations, summarizeTable } from '../tables/summarise.ts'
import { columnNamed, type Row } from '../tables/table.ts'

/** A tool that computes one number per group over a column of the open file. */
export const aggregate = (desk: Desk) =>
  tool({
    description:
      'Calculates one number over the rows of the data: sum (total), mean (average), median, count, min or max of a column, overall or by group.',
    effect: 'readOnly',
    timeoutMs: 600_000,
    inputSchema: z.object({
      operation: z.enum(operations).describe('What to compute'),
      column: z.string().describe('Name of the column with the numbers'),
      groupBy: z.string().optional().describe('Name of the column to group by'),
    }),
    execute: async ({ operation, column, groupBy }, context) => {
      const table = await desk.table(context)
      const name = columnNamed(table, column)
      const compute = (rows: readonly Row[]) =>
        summarizeTable(
          rows.map((row) => row[name] ?? null),
          operation,
        )
      const computed = `${operation} of ${name}`
      if (groupBy === undefined) return { [computed]: compute(table.rows), rows: table.rows.length }
      const group = columnNamed(table, groupBy)
      const groups = [...groupRows(table.rows, group)].map(([value, rows]) => ({
        [group]: value,
        [computed]: compute(rows),
      }))
      return groups.sort((a, b) => Number(b[computed]) - Number(a[computed])).slice(0, 50)
    },
  })

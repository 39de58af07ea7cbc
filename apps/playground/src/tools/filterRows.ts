import { tool } from '@interleave/core'
import { z } from 'zod'
import type { Desk } from '../tables/desk.ts'
import { type Cell, columnNamed } from '../tables/table.ts'

const tests = {
  equals: (cell, value) => String(cell).toLowerCase() === value.toLowerCase(),
  contains: (cell, value) => String(cell).toLowerCase().includes(value.toLowerCase()),
  above: (cell, value) => typeof cell === 'number' && cell > Number(value),
  below: (cell, value) => typeof cell === 'number' && cell < Number(value),
} satisfies Record<string, (cell: Cell, value: string) => boolean>

/** A tool that counts the rows of the open file that fit a condition, and shows a few. */
export const filterRows = (desk: Desk) =>
  tool({
    description:
      'Filters the rows where a column equals, contains, is above or is below a value. Returns how many fit and a few of them.',
    effect: 'readOnly',
    timeoutMs: 600_000,
    inputSchema: z.object({
      column: z.string().describe('Name of the column to look at'),
      is: z.enum(['equals', 'contains', 'above', 'below']).describe('How to compare'),
      value: z.string().describe('Value to compare with'),
    }),
    execute: async ({ column, is, value }, context) => {
      const table = await desk.table(context)
      const name = columnNamed(table, column)
      const fitting = table.rows.filter((row) => tests[is](row[name] ?? null, value))
      return { count: fitting.length, of: table.rows.length, sample: fitting.slice(0, 5) }
    },
  })

import { tool } from '@interleave/core'
import { z } from 'zod'
import type { Desk } from '../tables/desk.ts'
import { columnNamed } from '../tables/table.ts'

/** A tool that shows the rows of the open file with the highest or lowest values. */
export const topRows = (desk: Desk) =>
  tool({
    description: 'Shows the top rows: the highest (largest, most) or the lowest (smallest, least) first.',
    effect: 'readOnly',
    timeoutMs: 600_000,
    inputSchema: z.object({
      column: z.string().describe('Name of the column to sort by'),
      order: z.enum(['highest', 'lowest']).default('highest').describe('Which end'),
      count: z.int().min(1).max(20).default(5).describe('How many rows'),
    }),
    execute: async ({ column, order, count }, context) => {
      const table = await desk.table(context)
      const name = columnNamed(table, column)
      const direction = order === 'highest' ? -1 : 1
      const numbered = table.rows.filter((row) => typeof row[name] === 'number')
      return numbered.toSorted((a, b) => direction * (Number(a[name]) - Number(b[name]))).slice(0, count)
    },
  })

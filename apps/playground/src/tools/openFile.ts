import { tool } from '@interleave/core'
import { z } from 'zod'
import type { Desk } from '../tables/desk.ts'

/** A tool that asks the user for a CSV file and puts it on the desk. */
export const openFile = (desk: Desk) =>
  tool({
    description:
      'Opens a CSV file: asks the user to pick it from disk. Returns its columns and a small sample of rows.',
    effect: 'readOnly',
    inputSchema: z.object({}),
    execute: async (_, context) => {
      const { columns, rows } = await desk.open(context)
      return { rows: rows.length, columns: [...columns], sample: rows.slice(0, 3) }
    },
  })

import { form, type ToolContext } from '@interleave/core'
import { z } from 'zod'
import { parseTable, type Table } from './table.ts'

/** Holds the file of one conversation. Its rows stay here; the model sees only the results of tools. */
export interface Desk {
  /** The open table. Asks the user for a file if none is open yet. */
  table(context: Pick<ToolContext, 'ask'>): Promise<Table>
  /** Asks for a file, also if one is open. */
  open(context: Pick<ToolContext, 'ask'>): Promise<Table>
}

const upload = z.object({
  file: z.string().min(1, 'Choose a file.').meta({ title: 'CSV file', contentMediaType: 'text/csv' }),
})

/** Creates a desk, with the text of a file that was open before, if there was one. */
export function createDesk(file?: string): Desk {
  let opened: Promise<Table> | undefined

  const lay = (uploaded: Promise<{ file: string }>): Promise<Table> => {
    const table = uploaded.then((given) => parseTable(given.file))
    opened = table
    // If a file could not be read, the next call asks for one again.
    table.catch(() => {
      if (opened === table) opened = undefined
    })
    return table
  }
  const restored = file === undefined ? undefined : lay(Promise.resolve({ file }))

  const open: Desk['open'] = ({ ask }) =>
    lay(
      ask(
        form({ prompt: 'Which CSV file shall I work on? The model will see only a few of its rows.', schema: upload }),
      ),
    )
  const table: Desk['table'] = (context) => {
    if (opened === undefined) return open(context)
    // If a restored file cannot be read, asks for another one at once, since the user has not seen the error.
    return opened === restored ? opened.catch(() => open(context)) : opened
  }
  return { open, table }
}

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

/** With the text of a file that was open on it before, if there was one. */
export function createDesk(file?: string): Desk {
  let opened: Promise<Table> | undefined

  const lay = (uploaded: Promise<{ file: string }>): Promise<Table> => {
    const table = uploaded.then((given) => parseTable(given.file))
    opened = table
    // A file that could not be read is asked for again next time.
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
    // The user has not seen a restored file fail, so this asks at once.
    return opened === restored ? opened.catch(() => open(context)) : opened
  }
  return { open, table }
}

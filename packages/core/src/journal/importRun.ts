import { type Host, localHost } from '../host.ts'
import type { Journal } from '../journal.ts'
import { idChange, renameRun } from '../renameRun.ts'
import { checkWholeFile } from '../runFile.ts'

export interface ImportOptions {
  /** Where the run goes. */
  readonly journal: Journal
  /** Gives the new id where there has to be one. */
  readonly host?: Pick<Host, 'newId'>
}

/**
 * Puts the run of a file into a journal, with those below it, and gives its id: the same, or a new one if the journal has a
 * run of that id. A run with a new id is another run, so what was open when it was exported is done for each of the two.
 * Throws `log_invalid` for a file that is damaged or of a later version, and writes nothing then.
 */
export async function importRun(file: unknown, { journal, host = localHost }: ImportOptions): Promise<string> {
  const { runId, events, below } = checkWholeFile(file)
  const taken = (await journal.read(runId)).length > 0
  const id = taken ? host.newId() : runId
  const change = idChange(runId, id)
  // Those below first: where this one is, they are.
  for (const log of [...below, events]) {
    const renamed = renameRun(log, change)
    const [first] = renamed
    if (first?.type === 'started') await journal.append(first.runId, renamed)
  }
  return id
}

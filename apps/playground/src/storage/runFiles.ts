import { AgentError, isAgentError, type Run } from '@interleave/core'
import { exportRun, importRun, recoverRun } from '@interleave/core/journal'
import { checkAgent, maxAgent, type StoredAgent } from './checkRecord.ts'
import type { PageStorage } from './PageStorage.ts'
import { serverOf } from './serverOf.ts'

/**
 * Returns a run as the text of a file, with the agent that it was started with. A damaged log is returned as it is
 * stored.
 */
export async function toFile(storage: PageStorage, run: string | Run): Promise<string> {
  const { journal, records } = storage
  const runId = typeof run === 'string' ? run : run.id
  const server = await serverOf(storage, runId)
  if (server) return toJson(await server.file(runId))
  try {
    // An open run also has the events that could not be written.
    const whole = typeof run === 'string' ? await exportRun(journal, run) : await exportRun(run, { journal })
    const { offer, file } = (await records.get(runId)) ?? {}
    return toJson({ ...whole, ...(file !== undefined && { startedWith: { offer, file } }) })
  } catch (error) {
    if (isAgentError(error) && error.code === 'log_invalid') return toJson(await recoverRun(journal, runId))
    // If the storage cannot be read, the page still has the run.
    if (typeof run !== 'string') return toJson(await exportRun(run))
    throw error
  }
}

/** The contents of a file. */
export interface Imported {
  readonly runId: string
  readonly agent: StoredAgent | undefined
}

/** Imports the run of such a text into the journal. Also accepts a log alone. Throws if the text is invalid. */
export async function fromFile({ journal }: PageStorage, text: string): Promise<Imported> {
  const data = parse(text)
  const file = Array.isArray(data) ? { format: 'interleave.debug', formatVersion: 1, events: data } : data
  const agent = agentIn(data)
  return { runId: await importRun(file, { journal }), agent }
}

/**
 * Returns the agent of an imported run. Throws if it cannot be read, so that the run does not continue with another
 * agent.
 */
function agentIn(data: unknown): StoredAgent | undefined {
  const { startedWith } = Object(data) as { startedWith?: unknown }
  const agent = checkAgent(startedWith)
  if (agent || startedWith === undefined) return agent
  const { file } = Object(startedWith) as { file?: unknown }
  const isLong = typeof file === 'string' && file.length > maxAgent
  const why = isLong ? `has more than ${maxAgent.toLocaleString('en')} characters` : 'is not one that this page wrote'
  throw new AgentError(
    'log_invalid',
    `The file of the run cannot be opened: its agent (\`startedWith\`) ${why}. Remove it from the file to use the agent of this page that has its name.`,
  )
}

const toJson = (data: unknown): string => JSON.stringify(data, null, 2)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AgentError(
      'log_invalid',
      'The file of the run cannot be opened: it is no JSON. Pick one that was exported here.',
    )
  }
}

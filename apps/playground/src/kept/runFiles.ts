import { AgentError, type Event, isAgentError } from '@interleave/core'
import { exportRun, importRun, type Journal, memoryJournal } from '@interleave/core/journal'
import { checkAgent, type KeptAgent } from './checkRecord.ts'
import type { Kept } from './Kept.ts'

export interface Exported {
  readonly runId: string
  /** Its log as the page has it: all there is of a run that could not be written. */
  readonly events?: readonly Event[] | undefined
}

/** A run as a text to save, with the agent that it was started with. A log that is damaged is given as it is. */
export async function toFile({ journal, records }: Kept, { runId, events = [] }: Exported): Promise<string> {
  const written = await Promise.resolve(journal.read(runId)).catch(orElse(events))
  const { offer, file } = (await records.get(runId).catch(orElse(undefined))) ?? {}
  const startedWith = file === undefined ? {} : { startedWith: { offer, file } }
  try {
    const whole = written.length < events.length ? await inMemory(runId, events) : journal
    return toJson({ ...(await exportRun(whole, runId)), ...startedWith })
  } catch (error) {
    if (!isAgentError(error) || error.code !== 'log_invalid') throw error
    return toJson(written)
  }
}

/** Of a run that is open, nothing is to be lost because its place fails. */
const orElse =
  <T>(value: T) =>
  (): T =>
    value

async function inMemory(runId: string, events: readonly Event[]): Promise<Journal> {
  const journal = memoryJournal()
  await journal.append(runId, events)
  return journal
}

/** What was in a file. */
export interface Imported {
  readonly runId: string
  readonly agent: KeptAgent | undefined
}

/** Takes the run of such a text into the journal. Also takes a log alone. Throws what is wrong with it. */
export async function fromFile({ journal }: Kept, text: string): Promise<Imported> {
  const data = parse(text)
  const file = Array.isArray(data) ? { format: 'interleave.debug', formatVersion: 1, events: data } : data
  const { startedWith } = Object(data) as { startedWith?: unknown }
  return { runId: await importRun(file, { journal }), agent: checkAgent(startedWith) }
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

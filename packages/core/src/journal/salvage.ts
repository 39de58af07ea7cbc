import { AgentError, type Failure } from '../error.ts'
import type { Event } from '../event.ts'
import type { Journal } from '../journal.ts'
import { type Json, toJson } from '../json.ts'
import { type RunFile, runFile } from '../runFile.ts'
import { lookAt, soundPart } from './lookAt.ts'
import { runsBelow } from './runsBelow.ts'

/** The recoverable parts of a run with a damaged log. */
export interface Salvaged {
  /** The reason why the run cannot be resumed; absent if it can. */
  readonly damage?: Failure
  /** The run up to the last event that can be read, to `fork` or import. Absent where not even the first one can. */
  readonly file?: RunFile
  /** Everything stored of it and of its child runs, by their ids, to attach to a report. */
  readonly asStored: Readonly<Record<string, readonly Json[]>>
}

/**
 * Takes out of a journal what there is of a run that `resume` and `exportRun` refuse. Changes nothing there: delete the run when
 * you have what you want.
 *
 * @example
 * const { file } = await salvage(journal, id)
 * if (file) await fork(guide, file, { journal })
 */
export async function salvage(journal: Journal, runId: string): Promise<Salvaged> {
  const { events, damage } = await lookAt(journal, runId)
  if (events.length === 0 && damage?.code === 'log_invalid')
    throw new AgentError('run_unknown', `The journal has no run "${runId}".`)
  const sound = soundPart(events, runId)
  const until = sound.at(-1)?.at ?? 0
  const below: (readonly Event[])[] = []
  const asStored: [string, readonly Json[]][] = [[runId, events.map(stored)]]
  for (const id of await runsBelow(journal, runId)) {
    const log = (await lookAt(journal, id)).events
    asStored.push([id, log.map(stored)])
    // As far as they were then: a run below goes on from there.
    const part = soundPart(log, id).filter(({ at }) => !damage || at <= until)
    if (part.length > 0) below.push(part)
  }
  return {
    ...(damage && { damage }),
    ...(sound.length > 0 && { file: runFile(sound, { below }) }),
    asStored: Object.fromEntries(asStored),
  }
}

function stored(event: unknown): Json {
  try {
    return toJson(event)
  } catch (error) {
    return `This cannot be written as JSON: ${(error as Error).message}`
  }
}

import { AgentError } from '../error.ts'
import { fork } from '../journal/fork.ts'
import { openCalls } from '../openCalls.ts'
import { readPast } from '../readPast.ts'
import { fold } from '../reduce.ts'
import type { AgentHandle } from '../run.ts'
import type { Bodies } from './bodies.ts'
import { json } from './json.ts'
import { newRunId } from './newRunId.ts'
import { takeRoom, type Visit } from './place.ts'

/**
 * A new run that goes on from an earlier place of this one, perhaps with another message there. Not from the middle of calls:
 * what was allowed in one run is not allowed in another.
 */
export async function forkRun(
  visit: Visit,
  { id = newRunId(), at: place, content }: Bodies['fork'],
): Promise<Response> {
  const { names, runs, journal, runId } = visit
  const { events } = await readPast(runId, { journal })
  const at = place ?? events.length - 1
  if (at >= events.length) throw new AgentError('request_invalid', `The run has ${events.length} events.`)
  if (openCalls(fold(events.slice(0, at + 1))).length > 0) {
    throw new AgentError('request_invalid', 'A call is open there. Fork where all calls are done.')
  }
  takeRoom(visit)
  const newId = names.toKept(id)
  const handle: Pick<AgentHandle, 'resume'> = { resume: async (forkId) => (await runs.open(forkId)).run }
  await fork(handle as AgentHandle, runId, {
    id: newId,
    at,
    journal,
    ...(content !== undefined && { edit: { content } }),
  })
  return json({ runId: id, length: runs.find(newId)?.shown ?? 0 }, 201)
}

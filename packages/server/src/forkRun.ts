import { AgentError, type AgentHandle, type Event } from '@interleave/core'

import { fold, openCalls, readPast } from '@interleave/core/internal'
import { fork } from '@interleave/core/journal'
import type { Bodies } from './bodies.ts'
import { clientOf } from './clientPages.ts'
import { type RequestContext, takeRoom } from './context.ts'
import { json, otherRun } from './problem.ts'

/** Forks a run at an earlier event. Not in the middle of calls: approvals of one run do not hold in another. */
export async function forkRun(context: RequestContext, { at: position, content }: Bodies['fork']): Promise<Response> {
  const { names, runs, journal, runId: newId, given } = context
  const runId = names.toKept(forkedOf(context.url))
  const { events } = await readPast(runId, { journal })
  const at = position ?? events.length - 1
  if (at >= events.length) throw new AgentError('request_invalid', `The run has ${events.length} events.`)
  if (openCalls(fold(events.slice(0, at + 1))).length > 0) {
    throw new AgentError('request_invalid', 'A call is open there. Fork where all calls are done.')
  }
  const id = names.toShown(newId)
  const known = await journal.read(newId)
  if (known.length > 0) return again(known, { id, from: { runId, seq: at } })
  takeRoom(context)
  context.pages.markUsed(clientOf(context.url, newId))
  const handle: Pick<AgentHandle, 'resume'> = {
    async resume(forkId) {
      // Other runs may have taken the capacity meanwhile.
      takeRoom(context)
      return (await runs.openRun(forkId, given)).run
    },
  }
  try {
    await fork(handle as AgentHandle, runId, {
      id: newId,
      at,
      journal,
      ...(content !== undefined && { edit: { content } }),
    })
  } catch (error) {
    const meanwhile = await journal.read(newId)
    if (meanwhile.length > 0) return again(meanwhile, { id, from: { runId, seq: at } })
    throw error
  }
  return json({ runId: id, length: runs.findRun(newId)?.view.log.length ?? 0 }, 201)
}

/** Returns the id of the run that a request forks. */
export function forkedOf({ searchParams }: URL): string {
  const id = searchParams.get('of')
  if (!id) throw new AgentError('request_invalid', 'Name the run to fork as ?of=<its id>.')
  return id
}

/** Returns the existing fork of a repeated request. */
function again([started, ...others]: readonly Event[], { id, from }: { id: string; from: Forked }): Response {
  const { forkedFrom } = started?.type === 'started' ? started : {}
  if (forkedFrom?.runId !== from.runId || forkedFrom.seq !== from.seq) throw otherRun()
  return json({ runId: id, length: others.length + 1 }, 200)
}

type Forked = NonNullable<Extract<Event, { type: 'started' }>['forkedFrom']>

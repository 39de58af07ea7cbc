import { AgentError, type Event, isAgentError } from '@interleave/core'

import { isBlank, isConflict, plainContent, sameJson } from '@interleave/core/internal'
import type { Bodies } from './bodies.ts'
import { clientOf } from './clientPages.ts'
import { type RequestContext, takeRoom } from './context.ts'
import { json, otherRun } from './problem.ts'

/** Starts a run, once per id: a client without a response repeats the request. */
export function startRun(context: RequestContext, body: Bodies['start']): Promise<Response> {
  return context.runs.whileStarting(context.runId, () => start(context, body))
}

async function start(context: RequestContext, body: Bodies['start']): Promise<Response> {
  const { agents, runs, names, runId } = context
  const agent = agents.get(body.agent)
  if (!agent) throw new AgentError('request_invalid', 'There is no agent of this name.')
  if (isBlank(body.input)) throw new AgentError('request_invalid', 'A run needs something to start with.')
  const { key } = body
  const id = names.toShown(runId)
  const input = plainContent(body.input)
  for (let attempt = 0; attempt < 3; attempt++) {
    const known = await begun(context, runId)
    if (known.length > 0) return again(known, { id, agent: agent.name, input })
    // Another request is starting it right now.
    if (runs.isOpening(runId)) continue
    takeRoom(context)
    context.pages.markUsed(clientOf(context.url, runId))
    const live = await runs.startRun(agent, input, {
      id: runId,
      given: context.given,
      ...(key !== undefined && { key }),
    })
    try {
      await live.untilDurable(1)
      return json({ runId: id, length: live.view.log.length }, 201)
    } catch (error) {
      runs.dropRun(live)
      // Another process has just started it.
      if (!isConflict(error)) throw error
    }
  }
  throw otherRun()
}

function again(
  events: readonly Event[],
  { id, ...begin }: { id: string } & Pick<Bodies['start'], 'agent' | 'input'>,
): Response {
  if (!isBegunBy(events, begin)) throw otherRun()
  return json({ runId: id, length: events.length }, 200)
}

/** Returns the existing part of a run. */
async function begun({ runs, journal, given }: RequestContext, runId: string): Promise<readonly Event[]> {
  const read = await journal.read(runId)
  const alive = runs.findRun(runId)
  // A journal may omit secrets, so the input is compared with the events of the live run.
  if (read.length > 0) return alive ? alive.events.slice(0, read.length) : read
  if (!runs.isOpening(runId)) return read
  try {
    const live = await runs.openRun(runId, given)
    await live.untilDurable(1)
    return [...live.view.log]
  } catch (error) {
    // Another request looked for it before it existed.
    if (isAgentError(error) && error.code === 'run_unknown') return []
    throw error
  }
}

/** Returns true if this input started the run: a client without a response repeats it. */
export function isBegunBy(
  events: readonly Event[],
  { agent, input }: Pick<Bodies['start'], 'agent' | 'input'>,
): boolean {
  const [started] = events
  const said = events.find((event) => event.type === 'said')
  const isSame = said?.type === 'said' && sameJson(said.content, input)
  return started?.type === 'started' && started.agent === agent && isSame
}

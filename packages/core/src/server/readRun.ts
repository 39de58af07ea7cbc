import type { Event } from '../event.ts'
import { readPast } from '../readPast.ts'
import type { RunState } from '../state.ts'
import { json } from './json.ts'
import type { Visit } from './place.ts'
import { askedIn } from './tellEvents.ts'

/** How a run is, with what its open questions are answered with. */
export async function readRun(visit: Visit): Promise<Response> {
  const { names, tokens, runId, principal } = visit
  const { events, state, length } = await look(visit)
  const asks = askedIn(events, state.asks).map(async (event) => {
    const [shown = event] = names.show([event])
    return { ...shown, token: await tokens.sign({ event, runId, principal }) }
  })
  const { agent, version, startedAt, updatedAt, rest } = state
  return json({
    runId: names.toShown(runId),
    agent,
    version,
    startedAt,
    updatedAt,
    length,
    ...(rest && { rest: rest.type }),
    asks: (await Promise.all(asks)).map((asked) => ('ask' in asked ? { ask: asked.ask, token: asked.token } : asked)),
  })
}

interface Look {
  readonly events: readonly Event[]
  readonly state: RunState
  readonly length: number
}

async function look({ runs, journal, runId }: Visit): Promise<Look> {
  const live = await runs.look(runId)
  if (live) return { events: live.events, state: live.run.state, length: live.shown }
  const past = await readPast(runId, { journal })
  return { ...past, length: past.events.length }
}

import type { Failure } from '@interleave/core'
import { readPast, type ShownRun } from '@interleave/core/internal'
import type { RequestContext } from './context.ts'
import { askedIn } from './eventFrames.ts'
import { json, withSafeErrors } from './problem.ts'

/** Returns a run's status, with the tokens of its open questions. */
export async function readRun(context: RequestContext): Promise<Response> {
  const { names, tokens, runId, principal } = context
  const { log: events, state, fault } = await look(context)
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
    length: events.length,
    ...(rest && { rest: rest.type }),
    ...faultOf(fault),
    asks: (await Promise.all(asks)).map((asked) =>
      'ask' in asked ? { ask: asked.ask, at: asked.at, token: asked.token } : asked,
    ),
  })
}

function faultOf(fault: ShownRun['fault']): { readonly fault?: Failure } {
  const signal = fault && withSafeErrors(fault).signal
  return signal?.type === 'failed' ? { fault: signal.error } : {}
}

/** Returns the run as the journal has it, also while it executes here. */
async function look({ runs, journal, runId }: RequestContext): Promise<Pick<ShownRun, 'log' | 'state' | 'fault'>> {
  const live = await runs.checkRun(runId)
  // A run that just started exists once the journal has its first event.
  if (live && live.view.log.length > 0) return live.view
  const { events, state } = await readPast(runId, { journal })
  return { log: events, state, fault: undefined }
}

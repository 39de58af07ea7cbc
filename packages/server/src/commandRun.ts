import type { OwnedRun } from '@interleave/connect/internal'
import { AgentError, type Event } from '@interleave/core'
import { durable } from '@interleave/core/internal'
import type { Bodies } from './bodies.ts'
import { clientOf } from './clientPages.ts'
import { type RequestContext, takeRoom, withRun } from './context.ts'
import { json } from './problem.ts'
import { wasReasked } from './replyTokens.ts'

// Each function applies a command to a run, once, and responds with the length of the durable log then.

export const sayToRun = (context: RequestContext, body: Bodies['say']): Promise<Response> =>
  command(context, (live) => {
    takeRoom(context, live)
    return live.applyCommand({ type: 'say', ...body })
  })

export const stopRun = (context: RequestContext, { reason = 'Stopped.', after }: Bodies['stop']): Promise<Response> =>
  command(context, (live) => {
    const stopped = findAfter(live, after, (event) => isStop(event, reason))
    return stopped ? untilKept(live, stopped) : live.applyCommand({ type: 'stop', reason })
  })

export const disallow = (context: RequestContext, { id }: Bodies['disallow']): Promise<Response> =>
  command(context, (live) => live.applyCommand({ type: 'disallow', id }))

export const resumeRun = (context: RequestContext, { after }: Bodies['resume']): Promise<Response> =>
  command(context, async (live) => {
    const resumed = findAfter(live, after, ({ type }) => type === 'resumed')
    if (resumed) return untilKept(live, resumed)
    takeRoom(context, live)
    return live.applyCommand({ type: 'resume' })
  })

export const replyToRun = (context: RequestContext, { ask, value, token }: Bodies['reply']): Promise<Response> =>
  command(context, async (live) => {
    const { events } = live
    const { principal, runId, tokens } = context
    const asked = await tokens.check(token, { ask, events, runId, principal })
    if (wasReasked(events, asked)) throw new AgentError('token_invalid', 'The question was asked again meanwhile.')
    takeRoom(context, live)
    return live.applyCommand({ type: 'reply', ask, value, after: asked.seq })
  })

async function command(context: RequestContext, apply: (live: OwnedRun) => Promise<number>): Promise<Response> {
  const { pages, runId, url } = context
  pages.markUsed(clientOf(url, runId))
  return withRun(context, async (live) => json({ length: await apply(live) }))
}

/** Returns the event of a command that is done already: a client without a response repeats it, and says what it had seen. */
const findAfter = (
  { events }: OwnedRun,
  after: number | undefined,
  isDone: (event: Event) => boolean,
): Event | undefined => (after === undefined ? undefined : events.find((event) => event.seq >= after && isDone(event)))

const isStop = (event: Event, reason: string): boolean =>
  event.type === 'rested' && event.signal.type === 'stopped' && event.signal.reason === reason

async function untilKept({ run, view }: OwnedRun, { seq }: Event): Promise<number> {
  await durable(run, seq + 1)
  return view.log.length
}

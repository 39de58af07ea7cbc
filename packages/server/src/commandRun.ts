import { doneBefore, type OwnedRun } from '@interleave/connect/internal'
import { AgentError } from '@interleave/core'
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
  command(context, (live) => live.applyCommand({ type: 'stop', reason, after }))

export const revoke = (context: RequestContext, { id }: Bodies['revoke']): Promise<Response> =>
  command(context, (live) => live.applyCommand({ type: 'revoke', id }))

export const resumeRun = (context: RequestContext, { after }: Bodies['resume']): Promise<Response> =>
  command(context, async (live) => {
    const resume = { type: 'resume', after } as const
    if (!doneBefore(live.events, resume)) takeRoom(context, live)
    return live.applyCommand(resume)
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

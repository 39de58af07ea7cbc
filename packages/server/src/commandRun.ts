import type { OwnedRun } from '@interleave/connect/internal'
import { AgentError } from '@interleave/core'
import { durable } from '@interleave/core/internal'
import type { Bodies } from './bodies.ts'
import { takeRoom, type Visit, withRun } from './place.ts'
import { json } from './problem.ts'
import { wasAskedAnew } from './replyTokens.ts'

/* Each applies a command to a run, once, and answers with the length of the durable log then. */

export const sayToRun = (visit: Visit, { content, key }: Bodies['say']): Promise<Response> =>
  command(visit, (live) => {
    takeRoom(visit, live)
    return live.applyCommand({ type: 'say', content, key })
  })

export const stopRun = (visit: Visit, { reason = 'Stopped.' }: Bodies['stop']): Promise<Response> =>
  command(visit, (live) => live.applyCommand({ type: 'stop', reason }))

export const resumeRun = (visit: Visit, { after }: Bodies['resume']): Promise<Response> =>
  command(visit, async (live) => {
    const { run, events, view } = live
    const isResumed = after !== undefined && events.some(({ seq, type }) => seq >= after && type === 'resumed')
    if (isResumed) {
      await durable(run)
      return view.log.length
    }
    takeRoom(visit, live)
    return live.applyCommand({ type: 'resume' })
  })

export const replyToRun = (visit: Visit, { ask, value, token }: Bodies['reply']): Promise<Response> =>
  command(visit, async (live) => {
    const { events } = live
    const { principal, runId, tokens } = visit
    const asked = await tokens.check(token, { ask, events, runId, principal })
    if (wasAskedAnew(events, asked)) throw new AgentError('token_invalid', 'The question was asked again meanwhile.')
    takeRoom(visit, live)
    return live.applyCommand({ type: 'reply', ask, value, after: asked.seq })
  })

async function command(visit: Visit, apply: (live: OwnedRun) => Promise<number>): Promise<Response> {
  const { pages, runId, url } = visit
  pages.markUsed({ runId, name: url.searchParams.get('client') ?? '' })
  return withRun(visit, async (live) => json({ length: await apply(live) }))
}

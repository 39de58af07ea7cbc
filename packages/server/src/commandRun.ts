import { CommandQueue } from '@interleave/connect/internal'
import { AgentError } from '@interleave/core'
import { durable, perform } from '@interleave/core/internal'
import type { Bodies } from './bodies.ts'
import type { LiveRun } from './liveRun.ts'
import { takeRoom, untilKept, type Visit, withRun } from './place.ts'
import { json } from './problem.ts'
import { wasAskedAnew } from './replyTokens.ts'

/** Each has something done by a run, once, and tells how long the log is then. */
export const sayToRun = (visit: Visit, { content, key }: Bodies['say']): Promise<Response> =>
  command(visit, async (live) => {
    takeRoom(visit, live)
    await live.run.say(content, { key })
  })

export const stopRun = (visit: Visit, { reason = 'Stopped.' }: Bodies['stop']): Promise<Response> =>
  command(visit, ({ run }) => run.stop(reason))

export const resumeRun = (visit: Visit, { after }: Bodies['resume']): Promise<Response> =>
  command(visit, async (live) => {
    const { run, events } = live
    // It was heard before.
    if (after !== undefined && events.some(({ seq, type }) => seq >= after && type === 'resumed')) return durable(run)
    takeRoom(visit, live)
    const { fault } = live.view
    await perform(run, { type: 'resume' })
    await untilKept(live, run.state.seq, fault)
  })

export const replyToRun = (visit: Visit, { ask, value, token }: Bodies['reply']): Promise<Response> =>
  command(visit, async (live) => {
    const { run, events } = live
    const { principal, runId, tokens } = visit
    const asked = await tokens.check(token, { ask, events, runId, principal })
    if (wasAskedAnew(events, asked)) throw new AgentError('token_invalid', 'The question was asked again meanwhile.')
    takeRoom(visit, live)
    await queueOf(live).applyCommand(run, { type: 'reply', ask, value, after: asked.seq })
  })

const queues = new WeakMap<LiveRun, CommandQueue>()
/** Replies to one question come one after the other. */
function queueOf(live: LiveRun): CommandQueue {
  const queue = queues.get(live) ?? new CommandQueue(() => live.events)
  queues.set(live, queue)
  return queue
}

async function command(visit: Visit, act: (live: LiveRun) => Promise<void>): Promise<Response> {
  const { pages, runId, url } = visit
  pages.markUsed({ runId, name: url.searchParams.get('client') ?? '' })
  return withRun(visit, async (live) => {
    await act(live)
    return json({ length: live.view.kept.length })
  })
}

import { Page, pageRegistry } from '@interleave/connect/internal'
import type { Json } from '@interleave/core'
import type { Command } from '@interleave/core/internal'
import { type RequestContext, startRun, takeRoom, withRun } from '@interleave/server/internal'
import { fromContent } from '../events/messages.ts'
import type { Plan } from './planRequest.ts'

interface PlannedRequest {
  readonly plan: Plan
  readonly agent: string
}

/** Applies a plan, each part once. Resolves when it is durable. Returns a function to call when the request ends. */
export async function applyPlan(context: RequestContext, { plan, agent }: PlannedRequest): Promise<() => void> {
  const [first, ...others] = plan.messages
  // Each further message may be a turn of the model, and counts as a request of its own.
  for (const _ of others) context.limiter.count(context.principal)
  if (first && plan.starts) {
    await startRun(context, { agent, input: fromContent(first.content), key: first.id })
    for (const message of others) await say(context, message)
    return () => {}
  }
  for (const { asked, value } of plan.replies)
    await applyCommand(context, { type: 'reply', ask: asked.ask.id, value, after: asked.seq })
  const endResults = plan.results.size > 0 ? await sendResults(context, plan) : () => {}
  const { stop } = plan
  if (stop !== undefined) await withRun(context, (live) => live.applyCommand({ type: 'stop', reason: stop }))
  for (const message of plan.messages) await say(context, message)
  if (plan.resumes) await applyCommand(context, { type: 'resume' })
  return endResults
}

const say = (context: RequestContext, { id: key, content }: Plan['messages'][number]): Promise<unknown> =>
  applyCommand(context, { type: 'say', content: fromContent(content), key })

const applyCommand = (context: RequestContext, command: Command): Promise<unknown> =>
  withRun(context, (live) => {
    takeRoom(context, live)
    return live.applyCommand(command)
  })

/** Passes the results of the client's tools to the waiting calls, in the role of a page with these tools. */
async function sendResults(context: RequestContext, { results, tools }: Plan): Promise<() => void> {
  const { runId } = context
  const left = new Map<string, Json>(results)
  const page: Page = new Page({
    tools,
    models: [],
    shows: (id) => id === runId,
    post(message) {
      if (message.type !== 'tool') return
      const key = message.idempotencyKey.slice(runId.length + 1)
      const value = left.get(key)
      if (value === undefined) return
      left.delete(key)
      if (left.size === 0) pageRegistry.removePage(page)
      const { call } = message
      queueMicrotask(() => page.receiveAnswer({ type: 'output', call, value }))
    },
  })
  await withRun(context, async (live) => {
    takeRoom(context, live)
    pageRegistry.addPage(page)
  })
  return () => {
    pageRegistry.removePage(page)
    page.loseCalls()
  }
}

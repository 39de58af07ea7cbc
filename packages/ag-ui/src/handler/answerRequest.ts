import { Notifier } from '@interleave/connect/internal'
import { AgentError, type Json, type RunState } from '@interleave/core'
import type { Action } from '@interleave/server'
import {
  answerWithEvents,
  type Problem,
  type RequestContext,
  RunSource,
  type RunView,
  shownEvents,
  toProblem,
  withRun,
} from '@interleave/server/internal'
import { AgUiWriter } from '../events/agUiWriter.ts'
import { agUiFrames } from './agUiFrames.ts'
import { applyPlan } from './applyPlan.ts'
import { missingMessages, type Plan, planRequest, planStart } from './planRequest.ts'
import type { RunInput } from './runInput.ts'

interface Requested {
  /** The name of the agent. */
  readonly agent: string
  readonly input: RunInput
  /** Returns the response if the user may not do this. */
  readonly allow: (action: Action) => Promise<Response | undefined>
  readonly stopOnAbort: boolean
  readonly state?: (state: RunState) => Json | undefined
}

/** Applies a request and streams the result. An error of the run is an event of the stream. */
export async function answerRequest(context: RequestContext, requested: Requested): Promise<Response> {
  const { limiter, limits, principal, runId, host, request } = context
  const { input, stopOnAbort } = requested
  const notifier = new Notifier(host)
  const endCount = limiter.open(principal)
  const source = new RunSource({ ...context, id: runId, onMore: () => notifier.notify() })
  const leave = (): void => {
    source.leave()
    endCount()
    notifier.notify()
  }
  try {
    const before = snapshotOf(await source.readView())
    const { writer, needsMessages } = writerFor(context, { ...requested, before })
    let problem: Problem | undefined
    let endResults = (): void => {}
    try {
      if (before && before.state.agent !== requested.agent) throw otherAgent()
      const plan = before ? planRequest(input, before) : planStart(input)
      for (const action of actionsOf(plan)) {
        const refused = await requested.allow(action)
        if (!refused) continue
        leave()
        return refused
      }
      endResults = await applyPlan(context, { plan, agent: requested.agent })
    } catch (error) {
      problem = toProblem(error, context)
      if (problem.status >= 500) throw error
    }
    const frames = agUiFrames({
      ...{ context, source, writer, needsMessages, problem },
      ...{ from: before?.events.length ?? 0, at: before?.events.at(-1)?.at },
      wait: (ms) => notifier.next(ms),
    })
    let isAnswered = false
    const texts = async function* (): AsyncGenerator<string, void> {
      yield* frames
      isAnswered = true
    }
    const onEnd = (): void => {
      endResults()
      leave()
      if (stopOnAbort && !isAnswered) stopRun(context)
    }
    return answerWithEvents(texts(), { host, lastsMs: limits.streamMs * 2, signal: request.signal, onEnd })
  } catch (error) {
    leave()
    throw error
  }
}

/** Copies the events, since the list grows while the run works. */
const snapshotOf = (view: RunView | undefined): RunView | undefined => view && { ...view, events: [...view.events] }

function writerFor(
  context: RequestContext,
  { input, state, before }: Requested & { readonly before: RunView | undefined },
): { writer: AgUiWriter; needsMessages: boolean } {
  const past = before ? context.names.show(shownEvents(before.state, context).kept(before.events)) : []
  const missing = missingMessages(input.messages, past)
  const { threadId, runId, parentRunId } = input
  const writer = new AgUiWriter({
    threadId,
    request: { runId, ...(parentRunId != null && { parentRunId }) },
    tools: new Set(input.tools?.map(({ name }) => name)),
    // A client whose list is replaced receives its own new messages too.
    ...(missing ? { prefix: missing.prefix } : { known: new Set(input.messages.map(({ id }) => id)) }),
    ...(state && { state }),
    exposeErrors: context.exposeErrors,
  })
  for (const event of past) writer.skip(event)
  return { writer, needsMessages: missing !== undefined }
}

function actionsOf({ starts, replies, results, stop, messages, resumes }: Plan): Action[] {
  if (starts) return ['start']
  return [
    'read',
    ...(replies.length > 0 ? (['reply'] as const) : []),
    ...(results.size > 0 ? (['answer'] as const) : []),
    ...(stop !== undefined ? (['stop'] as const) : []),
    ...(messages.length > 0 ? (['say'] as const) : []),
    ...(resumes ? (['resume'] as const) : []),
  ]
}

const otherAgent = (): AgentError => new AgentError('request_invalid', 'This thread belongs to another agent.')

function stopRun(context: RequestContext): void {
  withRun(context, (live) => live.applyCommand({ type: 'stop', reason: 'The client ended the request.' })).catch(
    () => {},
  )
}

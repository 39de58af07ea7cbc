import { type ClientCall, type Frame, Notifier } from '@interleave/connect/internal'
import { AgentError } from '@interleave/core'
import { isAgent } from '@interleave/core/internal'
import { answerWithEvents } from './answerWithEvents.ts'
import { clientOf } from './clientPages.ts'
import type { RequestContext } from './context.ts'
import { EventFrames, helloFrame } from './eventFrames.ts'
import { unknownRun } from './problem.ts'
import { RunSource } from './runSource.ts'

/** Streams a run as server-sent events from any position of its log. */
export async function streamRun(context: RequestContext): Promise<Response> {
  const { request, url, host, limits, runId, principal, names, tokens, exposeErrors } = context
  const position = positionOf(request, url)
  const waits = url.searchParams.get('wait') !== 'false'
  if (!waits && (await hasNothingNew(context, position))) return answerNothing(context)
  const notifier = new Notifier(host)
  // Opening the source may resume the run, which may need the client at once.
  context.pages.markUsed(clientOf(url, runId))
  const { source, leave, opens } = await openSource(context, notifier)
  const lost = new AbortController()
  const { calls, disconnect } = takeCalls(context, { notifier, opens, end: () => lost.abort() })
  const frames = new EventFrames(
    { ...position, follows: url.searchParams.get('follow') !== 'false', waits, calls },
    {
      source,
      host,
      names,
      exposeErrors,
      heartbeatMs: limits.heartbeatMs,
      sign: (event) => tokens.sign({ event, runId, principal }),
      wait: (ms) => notifier.next(ms),
    },
  )
  const onEnd = (): void => {
    disconnect()
    leave()
    notifier.notify()
  }
  const signal = AbortSignal.any([request.signal, lost.signal])
  return answerWithEvents(frames.generate(), { host, lastsMs: limits.streamMs, signal, onEnd })
}

/**
 * Returns true if a settled run has the reader's last event as its last one. Only that is read: pages poll their settled
 * runs.
 */
async function hasNothingNew({ runs, journal, runId }: RequestContext, { from, at }: Position): Promise<boolean> {
  if (from === 0 || at === undefined || runs.findRun(runId)?.view.fault) return false
  const [last, ...more] = await journal.read(runId, from - 1)
  return last?.type === 'settled' && last.at === at && more.length === 0
}

async function* helloAlone(heartbeatMs: number): AsyncGenerator<string, void> {
  yield helloFrame(heartbeatMs)
}

const answerNothing = ({ limits, host, request }: RequestContext): Response =>
  answerWithEvents(helloAlone(limits.heartbeatMs), {
    ...{ host, lastsMs: limits.streamMs, signal: request.signal },
    onEnd() {},
  })

/** Opens the run for a stream. It counts as one open stream until it is closed. */
async function openSource(context: RequestContext, notifier: Notifier): Promise<Opened> {
  const { limiter, principal, runId } = context
  const endCount = limiter.open(principal)
  const source = new RunSource({ ...context, id: runId, onMore: () => notifier.notify() })
  const leave = (): void => {
    source.leave()
    endCount()
  }
  try {
    const view = await source.readView()
    if (!view) throw unknownRun()
    const agent = context.agents.get(view.state.agent)
    const waits = view.state.signal?.type === 'inputNeeded'
    return { source, leave, opens: waits || (agent !== undefined && !isAgent(agent)) }
  } catch (error) {
    leave()
    throw error
  }
}

interface Opened {
  readonly source: RunSource
  /** True if a client that runs tools opens the run, which may be waiting for it. */
  readonly opens: boolean
  leave(): void
}

/** Returns the pending calls for this client, if it runs tools. */
function takeCalls(
  { url, runId, runs, pages, names, given, failures }: RequestContext,
  { notifier, opens, end }: { notifier: Notifier; opens: boolean; end: () => void },
): { calls: Frame[]; disconnect: () => void } {
  const calls: Frame[] = []
  const client = clientOf(url, runId)
  if (!client) return { calls, disconnect() {} }
  const send = (call: ClientCall): void => {
    const data = 'runId' in call ? { ...call, runId: names.toShown(call.runId) } : call
    calls.push({ name: 'call', data })
    notifier.notify()
  }
  const disconnect = pages.connectClient(client, { send, end })
  // The process that executed the run may have died, so it runs here. If it cannot, the client cannot serve it either.
  if (opens && !runs.isOpening(runId))
    runs.openRun(runId, given).catch((error: unknown) => failures.receiveRunError(error, runId))
  return { calls, disconnect }
}

interface Position {
  readonly from: number
  readonly at: number | undefined
}

function positionOf({ headers }: Request, { searchParams }: URL): Position {
  const last = headers.get('last-event-id')
  const from = last === null || last === '' ? Number(searchParams.get('from') ?? 0) : Number(last) + 1
  const at = searchParams.get('at')
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new AgentError('request_invalid', '"from" must be the seq of an event.')
  }
  return { from, at: at === null ? undefined : Number(at) }
}

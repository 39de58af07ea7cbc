import { AgentError, type Failure } from '@interleave/core'
import { listedRuns, readPast, type ShownRun } from '@interleave/core/internal'
import type { Journal, ListOptions, RunSummary } from '@interleave/core/journal'
import type { RequestContext } from './context.ts'
import { askedIn, shownEvents } from './eventFrames.ts'
import { type Exposing, json } from './problem.ts'
import type { RunNames } from './runNames.ts'

const most = 100
/** The number of further entries to read at once when child runs were omitted, of which there may be very many. */
const chunk = 500

/** Returns a page of the user's runs, newest first, and the start of the next page. */
export async function listRuns({ url, names, journal }: ListContext): Promise<Response> {
  const { searchParams } = url
  const limit = Math.min(most, Math.max(1, Math.trunc(Number(searchParams.get('limit')) || 20)))
  const agent = searchParams.get('agent')
  const below = searchParams.get('below')
  let before = positionOf(searchParams.get('before'), names.toKept)
  const found: RunSummary[] = []
  for (let isEnd = false, size = limit; found.length < limit && !isEnd; size = chunk) {
    const page = await listedRuns(journal, {
      below: below === null ? names.owner : names.toKept(below),
      limit: size,
      ...(agent !== null && { agent }),
      ...(before !== undefined && { before }),
    })
    isEnd = page.length < size
    before = page.at(-1)
    // Child runs are listed with their parents.
    const isWanted = ({ parent, runId }: RunSummary): boolean =>
      (below !== null || !parent) && runId.startsWith(`${names.owner}/`)
    found.push(...page.filter(isWanted))
  }
  const runs = found.slice(0, limit)
  const last = runs.at(-1)
  const isMore = last && runs.length === limit
  return json({
    runs: runs.map((run) => shownRun(run, names)),
    ...(isMore && { next: `${last.updatedAt},${names.toShown(last.runId)}` }),
  })
}

/** The part of a context that a list needs. */
interface ListContext extends Pick<RequestContext, 'url' | 'names'> {
  readonly journal: Pick<Journal, 'list'>
}

const shownRun = ({ parent, runId, ...run }: RunSummary, { toShown }: RunNames): RunSummary => ({
  ...run,
  runId: toShown(runId),
  ...(parent && { parent: { ...parent, runId: toShown(parent.runId) } }),
})

function positionOf(next: string | null, toKept: (id: string) => string): ListOptions['before'] {
  if (next === null) return undefined
  const [, time = '', id] = /^([^,]+)(?:,(.+))?$/s.exec(next) ?? []
  const at = Number(time || Number.NaN)
  if (Number.isNaN(at)) throw new AgentError('request_invalid', '"before" must be the "next" of an earlier page.')
  return id === undefined ? at : { updatedAt: at, runId: toKept(id) }
}

/** Returns a run's status, with the tokens of its open questions. */
export async function readRun(context: RequestContext): Promise<Response> {
  const { names, tokens, runId, principal } = context
  const view = await readView(context)
  const { log: events, state } = view
  const asks = askedIn(events, state.asks).map(async (event) => {
    const [shown = event] = names.show([event])
    return { ...shown, token: await tokens.sign({ event, runId, principal }) }
  })
  const { agent, version, startedAt, updatedAt, signal } = state
  return json({
    runId: names.toShown(runId),
    agent,
    version,
    startedAt,
    updatedAt,
    length: events.length,
    ...(signal && { signal: signal.type }),
    ...faultOf(view, context),
    asks: (await Promise.all(asks)).map((asked) =>
      'ask' in asked ? { ask: asked.ask, at: asked.at, token: asked.token } : asked,
    ),
  })
}

function faultOf(
  { state, fault }: Pick<ShownRun, 'state' | 'fault'>,
  exposing: Exposing,
): { readonly fault?: Failure } {
  const [event] = shownEvents(state, exposing).kept(fault ? [fault] : [])
  return event?.type === 'settled' && event.signal.type === 'failed' ? { fault: event.signal.error } : {}
}

/** Returns the durable part of the run, also while it executes here. */
async function readView({ runs, journal, runId }: RequestContext): Promise<Pick<ShownRun, 'log' | 'state' | 'fault'>> {
  const live = await runs.checkRun(runId)
  // A run that just started exists once the journal has its first event.
  if (live && live.view.log.length > 0) return live.view
  const { events, state } = await readPast(runId, { journal })
  return { log: events, state, fault: undefined }
}

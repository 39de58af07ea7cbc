import { AgentError } from '../error.ts'
import { createBell } from './bell.ts'
import type { Frame } from './frame.ts'
import { openStream } from './openStream.ts'
import type { Visit } from './place.ts'
import { unknownRun } from './problem.ts'
import { createRunSource } from './runSource.ts'
import { tellEvents } from './tellEvents.ts'

/** What happens in a run, as server-sent events from any place of its log. */
export async function streamRun(visit: Visit): Promise<Response> {
  const { request, url, host, limits, limiter, pages, runId, principal, names, tokens } = visit
  const reader = {
    ...placeOf(request, url),
    follows: url.searchParams.get('follow') !== 'false',
    errands: [] as Frame[],
  }
  const endCount = limiter.open(principal)
  const bell = createBell(host)
  const source = createRunSource({ ...visit, id: runId, liveChars: limits.liveChars, onMore: bell.ring })
  try {
    if (!(await source.look())) throw unknownRun()
  } catch (error) {
    source.leave()
    endCount()
    throw error
  }
  const client = clientOf(url, runId)
  const disconnect =
    client &&
    pages.connect(client, (errand) => {
      reader.errands.push({
        name: 'errand',
        data: 'runId' in errand ? { ...errand, runId: names.toShown(errand.runId) } : errand,
      })
      bell.ring()
    })
  const texts = tellEvents(reader, {
    source,
    host,
    names,
    heartbeatMs: limits.heartbeatMs,
    sign: (event) => tokens.sign({ event, runId, principal }),
    wait: bell.wait,
  })
  const body = openStream(texts, {
    host,
    lastsMs: limits.streamMs,
    signal: request.signal,
    onEnd() {
      disconnect?.()
      source.leave()
      endCount()
      bell.ring()
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  })
}

function placeOf({ headers }: Request, { searchParams }: URL): { from: number; at: number | undefined } {
  const last = headers.get('last-event-id')
  const from = last === null || last === '' ? Number(searchParams.get('from') ?? 0) : Number(last) + 1
  const at = searchParams.get('at')
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new AgentError('request_invalid', 'Give for "from" the seq of an event.')
  }
  return { from, at: at === null ? undefined : Number(at) }
}

/** A client that performs tools names itself and them. */
function clientOf({ searchParams }: URL, runId: string) {
  const name = searchParams.get('client')
  const tools = (searchParams.get('tools') ?? '').split(',').filter((tool) => tool !== '')
  return name && tools.length > 0 ? { runId, name, tools } : undefined
}

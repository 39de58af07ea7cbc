import { AgentError } from '../error.ts'
import type { ListOptions, RunSummary } from '../journal.ts'
import { json } from './json.ts'
import type { Visit } from './place.ts'

const most = 100

/** A page of the runs of who asks, newest first, and where the next one begins. */
export async function listRuns({ url, names, journal }: Visit): Promise<Response> {
  const { searchParams } = url
  const limit = Math.min(most, Math.max(1, Number(searchParams.get('limit')) || 20))
  const agent = searchParams.get('agent')
  let before = placeOf(searchParams.get('before'), names.toKept)
  const found: RunSummary[] = []
  for (let isEnd = false; found.length < limit && !isEnd; ) {
    const page = await journal.list({
      below: names.owner,
      limit,
      ...(agent !== null && { agent }),
      ...(before !== undefined && { before }),
    })
    isEnd = page.length < limit
    before = page.at(-1)
    // Runs below others are looked at in those.
    found.push(...page.filter(({ parent, runId }) => !parent && runId.startsWith(`${names.owner}/`)))
  }
  const runs = found.slice(0, limit)
  const last = runs.at(-1)
  const isMore = last && runs.length === limit
  return json({
    runs: runs.map((run) => ({ ...run, runId: names.toShown(run.runId) })),
    ...(isMore && { next: `${last.updatedAt}.${names.toShown(last.runId)}` }),
  })
}

function placeOf(next: string | null, toKept: (id: string) => string): ListOptions['before'] {
  if (next === null) return undefined
  const [, at, id = ''] = /^(\d+)\.(.+)$/.exec(next) ?? []
  if (at === undefined) throw new AgentError('request_invalid', 'Give for "before" what came as "next".')
  return { updatedAt: Number(at), runId: toKept(id) }
}

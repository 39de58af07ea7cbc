import { AgentError, type Event } from '@interleave/core'
import { checkLive, checkNext, checkRunId } from '@interleave/core/internal'
import type { HubTold } from './liveHub.ts'

/** A message of a process to a remote hub: events of its runs, in order. */
export interface HubPost {
  /** Which process it is, in which of its lives. */
  readonly from: string
  /** The number of the first; the others follow it. */
  readonly first: number
  readonly told: readonly PostedTold[]
}

export type PostedTold = HubTold & { readonly run: string }

/** A post from elsewhere. Throws `request_invalid` or `log_invalid` for what is none. */
export function checkHubPost(body: string): HubPost {
  const { from, first, told } = Object(parse(body)) as Partial<HubPost>
  if (typeof from !== 'string' || from === '') throw invalid('it does not say who it is from')
  if (!isCount(first)) throw invalid('what it tells has no number')
  if (!Array.isArray(told)) throw invalid('it tells nothing')
  return { from, first, told: told.map(checkTold) }
}

function checkTold(data: unknown): PostedTold {
  const { run, kept, after, iteration, events } = Object(data) as Record<string, unknown>
  checkRunId(run)
  if (kept !== undefined) return { run, kept: checkNext(kept, firstSeqOf(kept)) }
  if (!isCount(after) || !isCount(iteration)) throw invalid('it reports events that have no position in a log')
  return { run, after, iteration, events: checkLive(events) }
}

const firstSeqOf = (kept: unknown): number => Number((Object(kept) as readonly Partial<Event>[])[0]?.seq ?? 0)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw invalid('it is no JSON')
  }
}

const invalid = (why: string): AgentError => new AgentError('request_invalid', `This is no post to a hub: ${why}.`)

import { AgentError, isAgentError } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import type { ListOptions, RunSummary } from '@interleave/core/journal'
import { asSummary } from './answers.ts'
import { type AdminOptions, createAdmin, quote, type Row } from './createAdmin.ts'
import { pause } from './pause.ts'

export interface ReadSummariesOptions extends AdminOptions {
  readonly service: string
}

/** Returns the list entries of runs from Restate's state. Restate filters them, because there may be very many. */
export async function readSummaries(
  list: ListOptions,
  { service, host, ...options }: ReadSummariesOptions,
): Promise<readonly RunSummary[]> {
  const limit = Math.trunc(list.limit ?? Number.POSITIVE_INFINITY)
  if (limit <= 0) return []
  const { query } = createAdmin({ ...options, host })
  const sql = `SELECT value_utf8 FROM state WHERE ${wanted(service, list).join(' AND ')}
    ORDER BY ${updatedAt} DESC, service_key DESC ${Number.isFinite(limit) ? `LIMIT ${limit}` : ''}`
  for (let ms = 50; ; ms *= 2) {
    try {
      return (await query(sql)).map(toSummary)
    } catch (error) {
      // A part of a cluster that is just moved is asked again.
      if (!isAgentError(error) || !error.retryable || ms > 5_000) throw error
    }
    await pause(ms, host)
  }
}

const updatedAt = `json_get_float(value_utf8, 'updatedAt')`

function wanted(service: string, { agent, below, before }: ListOptions): readonly string[] {
  const conditions = [`service_name = ${quote(service)}`, `key = 'summary'`]
  if (agent !== undefined) conditions.push(`json_get_str(value_utf8, 'agent') = ${quote(agent)}`)
  if (below !== undefined) conditions.push(`starts_with(service_key, ${quote(`${below}/`)})`)
  if (typeof before === 'number') conditions.push(`${updatedAt} < ${before}`)
  else if (before) {
    const time = `${updatedAt} = ${before.updatedAt} AND service_key < ${quote(before.runId)}`
    conditions.push(`(${updatedAt} < ${before.updatedAt} OR (${time}))`)
  }
  return conditions
}

function toSummary({ value_utf8: text }: Row): RunSummary {
  try {
    return asSummary(JSON.parse(String(text)))
  } catch (cause) {
    throw new AgentError('remote_failed', `The admin API of Restate lists an invalid run: ${messageOf(cause)}`, {
      cause,
    })
  }
}

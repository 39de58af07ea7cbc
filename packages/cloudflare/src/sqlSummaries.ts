import { noSummary } from '@interleave/core/internal'
import type { ListOptions, RunSummary } from '@interleave/core/journal'
import type { SqlRow, SqlValue } from './durableStorage.ts'
import type { Exec, SqlTables } from './sqlTables.ts'

/** Returns a run's list entry. Invalid members are omitted, so that a damaged run is listed and can be deleted. */
export function shownSummary({ id, events, agent, updated_at: at, summary }: SqlRow): RunSummary {
  const columns = { runId: String(id), events: Number(events), agent: String(agent ?? ''), updatedAt: Number(at ?? 0) }
  return { ...noSummary, ...parse(summary), ...columns }
}

function parse(json: SqlValue | undefined): Partial<RunSummary> {
  try {
    const summary: unknown = JSON.parse(String(json))
    return typeof summary === 'object' && summary !== null ? summary : {}
  } catch {
    return {}
  }
}

export function putSummary(exec: Exec, summary: RunSummary): void {
  const { runId, events, agent, updatedAt } = summary
  exec(
    `INSERT INTO interleave_runs (id, events, agent, updated_at, summary) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET
       events = excluded.events, agent = excluded.agent, updated_at = excluded.updated_at, summary = excluded.summary`,
    runId,
    events,
    agent,
    updatedAt,
    JSON.stringify(summary),
  )
}

/** Runs that have events, in the order of a list. */
export function listSummaries(
  { read }: SqlTables,
  { agent, below, before, limit = 50 }: ListOptions,
): readonly RunSummary[] {
  const [time, id] = typeof before === 'object' ? [before.updatedAt, before.runId] : [before, undefined]
  const conditions: readonly (readonly [string, ...SqlValue[]] | false)[] = [
    ['events > ?', 0],
    agent !== undefined && ['agent = ?', agent],
    // "0" comes right after "/".
    below !== undefined && ['id > ? AND id < ?', `${below}/`, `${below}0`],
    time !== undefined && id === undefined && ['updated_at < ?', time],
    time !== undefined && id !== undefined && ['(updated_at, id) < (?, ?)', time, id],
  ]
  const chosen = conditions.filter((each) => each !== false)
  const where = chosen.map(([text]) => text).join(' AND ')
  const query = `SELECT * FROM interleave_runs WHERE ${where} ORDER BY updated_at DESC, id DESC LIMIT ?`
  return read(query, ...chosen.flatMap(([, ...values]) => values), Math.max(0, limit)).map(shownSummary)
}

import { AgentError } from '@interleave/core'
import { type Admin, quote, type Row } from './createAdmin.ts'
import type { RestateAlarm } from './restateAlarm.ts'

/** The stuck invocations. */
export interface Stuck {
  /** Another one each time that it comes to this. */
  readonly id: string
  readonly invocation: string
  /** None while another attempt is made: it may be the one that succeeds. */
  readonly alarm?: Exclude<RestateAlarm, { readonly type: 'unseen' }>
}

export interface ReadStuckOptions {
  readonly services: readonly string[]
  /** Of what is retried, only that which has failed so often. */
  readonly attempts: number
  readonly runId?: string
}

/** The maximum number of reported invocations: beyond it, something affects all of them. */
const most = 1_000

/** Reads our paused invocations, and those retried in vain. The reason of a pause is stored separately. */
export async function readStuck(
  admin: Admin,
  { services, attempts, runId }: ReadStuckOptions,
): Promise<readonly Stuck[]> {
  const ofRun = runId === undefined ? '' : `AND target_service_key = ${quote(runId)}`
  const rows = await admin.query(
    `SELECT id, target_service_name, target_service_key, target_handler_name, status, retry_count, last_failure, modified_at
     FROM sys_invocation
     WHERE target_service_name IN (${services.map(quote).join()}) ${ofRun}
       AND (status = 'paused' OR retry_count >= ${attempts})
     ORDER BY modified_at LIMIT ${most}`,
  )
  const paused = rows.filter(({ status }) => status === 'paused').map((row) => text(row, 'id'))
  const reasons = await readReasons(admin, paused)
  return rows.map((row) => {
    const invocation = text(row, 'id')
    const what = {
      runId: text(row, 'target_service_key'),
      call: `${text(row, 'target_service_name')}/${text(row, 'target_handler_name')}`,
    }
    if (row.status === 'paused') {
      const alarm = { type: 'paused', ...what, failure: reasons.get(invocation) ?? unknown } as const
      return { id: `${invocation} ${text(row, 'modified_at')}`, invocation, alarm }
    }
    if (row.status !== 'backing-off') return { id: invocation, invocation }
    const failure = typeof row.last_failure === 'string' ? row.last_failure : unknown
    return { id: invocation, invocation, alarm: { type: 'retrying', ...what, failure, attempts: count(row) } }
  })
}

const unknown = 'Restate does not say why.'

async function readReasons(admin: Admin, invocations: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (invocations.length === 0) return new Map()
  const rows = await admin.query(
    `SELECT id, json_get_str(event_json, 'last_failure', 'error_message') AS why
     FROM sys_journal_events
     WHERE event_type = 'Paused' AND id IN (${invocations.map(quote).join()}) ORDER BY appended_at`,
  )
  const said = rows.filter(({ why }) => typeof why === 'string')
  return new Map(said.map((row) => [text(row, 'id'), text(row, 'why')]))
}

function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value === 'string') return value
  throw new AgentError('remote_failed', `The admin API of Restate gives no text as ${column}.`)
}

function count({ retry_count: value }: Row): number {
  if (typeof value === 'number') return value
  throw new AgentError('remote_failed', 'The admin API of Restate gives no number as retry_count.')
}

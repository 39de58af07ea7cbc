import { AgentError, type Host, isAgentError, localHost } from '@interleave/core'
import { assertOption, checkOptions } from '@interleave/core/internal'
import { type Admin, createAdmin, quote, type Row } from './createAdmin.ts'
import type { IngressOptions } from './ingress.ts'

import { reporting } from './reporting.ts'

import { serviceNames } from './sdk.ts'

/** An alarm for the operator of Restate. */
export type RestateAlarm =
  /** Restate has stopped retrying: the run is stuck until it is resumed. */
  | { readonly type: 'paused'; readonly runId: string; readonly call: string; readonly failure: string }
  /** It has failed that often, and is retried. */
  | {
      readonly type: 'retrying'
      readonly runId: string
      /** The part of the run, such as `interleave-log/work`. */
      readonly call: string
      readonly failure: string
      readonly attempts: number
    }
  /** The state of the runs is unknown. It is checked again. */
  | { readonly type: 'unseen'; readonly error: AgentError }

/** The stuck invocations. */
interface Stuck {
  /** A new id each time that it is stuck again. */
  readonly id: string
  readonly invocation: string
  /** Absent during another attempt, which may succeed. */
  readonly alarm?: Exclude<RestateAlarm, { readonly type: 'unseen' }>
}

interface ReadStuckOptions {
  readonly services: readonly string[]
  /** The number of failures from which on a retried invocation is included. */
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

const unknown = 'Restate reports no reason.'

async function readReasons(admin: Admin, invocations: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (invocations.length === 0) return new Map()
  const rows = await admin.query(
    `SELECT id, json_get_str(event_json, 'last_failure', 'error_message') AS why
     FROM sys_journal_events
     WHERE event_type = 'Paused' AND id IN (${invocations.map(quote).join()}) ORDER BY appended_at`,
  )
  const explained = rows.filter(({ why }) => typeof why === 'string')
  return new Map(explained.map((row) => [text(row, 'id'), text(row, 'why')]))
}

function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value === 'string') return value
  throw new AgentError('remote_failed', `The admin API of Restate returned no string as ${column}.`)
}

function count({ retry_count: value }: Row): number {
  if (typeof value === 'number') return value
  throw new AgentError('remote_failed', 'The admin API of Restate returned no number as retry_count.')
}

export interface WatchRestateOptions extends Pick<IngressOptions, 'headers' | 'fetch'> {
  /** The address of Restate's admin API, such as `http://localhost:9070`. */
  admin: string
  /**
   * Called once for each invocation that is paused or retried, and once each time that Restate cannot be reached. Not
   * awaited.
   */
  onAlarm: (alarm: RestateAlarm) => void
  /** The name of the `restateHost()`. */
  name?: string
  /** Milliseconds between two checks; 30,000 by default. */
  every?: number
  /** The number of consecutive failures after which a retried invocation is reported; 20 by default, about a minute. */
  attempts?: number
  host?: Pick<Host, 'timer'>
}

export interface RestateWatch {
  /** Resumes all paused invocations of a run, with the latest deployment. Returns their number. */
  resume(runId: string): Promise<number>
  close(): void
}

/**
 * Polls for stuck runs and reports them. Restate itself does not.
 *
 * @example
 * const watch = watchRestate({ admin: 'http://localhost:9070', onAlarm: (alarm) => page('on-call', alarm) })
 * await watch.resume(runId)
 */
export function watchRestate(given: WatchRestateOptions): RestateWatch {
  checkOptions('watchRestate()', given, ['admin', 'onAlarm', 'name', 'every', 'attempts', 'host', 'headers', 'fetch'])
  const { onAlarm, name = 'interleave', every = 30_000, attempts = 20, host = localHost, ...options } = given
  assertOption(
    options.admin,
    'watchRestate({ admin }) needs the address of the admin API, such as "http://localhost:9070".',
  )
  const alert = reporting(onAlarm)
  const admin = createAdmin({ ...options, host })
  const services = Object.values(serviceNames(name))
  let reported = new Set<string>()
  let isUnseen = false
  let isClosed = false
  let cancel = (): void => {}

  const report = (stuck: readonly Stuck[]): void => {
    const before = reported
    reported = new Set(stuck.filter(({ id, alarm }) => alarm || before.has(id)).map(({ id }) => id))
    isUnseen = false
    for (const { id, alarm } of stuck) if (alarm && !before.has(id)) alert(alarm)
  }
  const reportUnseen = (error: unknown): void => {
    if (!isAgentError(error)) throw error
    const isKnown = isUnseen
    isUnseen = true
    if (!isKnown) alert({ type: 'unseen', error })
  }
  const poll = async (): Promise<void> => {
    try {
      const stuck = await readStuck(admin, { services, attempts })
      if (!isClosed) report(stuck)
    } catch (error) {
      if (!isClosed) reportUnseen(error)
    } finally {
      if (!isClosed) cancel = host.timer(every, poll)
    }
  }
  void poll()
  return {
    async resume(runId) {
      const stuck = await readStuck(admin, { services, attempts, runId })
      const paused = stuck.filter(({ alarm }) => alarm?.type === 'paused')
      for (const { invocation } of paused) await admin.resume(invocation)
      return paused.length
    },
    close() {
      isClosed = true
      cancel()
    },
  }
}

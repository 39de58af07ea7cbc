import { type Host, isAgentError, localHost } from '@interleave/core'
import { demand } from '@interleave/core/internal'
import { createAdmin } from './createAdmin.ts'
import type { IngressOptions } from './ingress.ts'
import { readStuck, type Stuck } from './readStuck.ts'
import { reporting } from './reporting.ts'
import type { RestateAlarm } from './restateAlarm.ts'
import { serviceNames } from './serviceNames.ts'

export interface WatchRestateOptions extends Pick<IngressOptions, 'headers' | 'fetch'> {
  /** The address of Restate's admin API, such as `http://localhost:9070`. */
  admin: string
  /** Told once of each that is paused or retried, and once of each time that Restate cannot be asked. Not awaited. */
  onAlarm: (alarm: RestateAlarm) => void
  /** As of `restateHost()`. */
  name?: string
  /** Milliseconds between two looks; 30,000 by default. */
  every?: number
  /** Failures in a row after which what is still retried is told of; 20 by default, which is about a minute. */
  attempts?: number
  host?: Pick<Host, 'timer'>
}

export interface RestateWatch {
  /** Lets all that is paused of a run go on, with what was deployed last. Gives how many calls that were. */
  resume(runId: string): Promise<number>
  close(): void
}

/**
 * Looks at intervals for runs that do not go on, and says so. Restate itself keeps quiet about them.
 *
 * @example
 * const watch = watchRestate({ admin: 'http://localhost:9070', onAlarm: (alarm) => page('on-call', alarm) })
 * await watch.resume(runId)
 */
export function watchRestate({
  onAlarm,
  name = 'interleave',
  every = 30_000,
  attempts = 20,
  host = localHost,
  ...options
}: WatchRestateOptions): RestateWatch {
  demand(options.admin, 'watchRestate({ admin }) needs the address of the admin API, such as "http://localhost:9070".')
  const alarmed = reporting(onAlarm)
  const admin = createAdmin({ ...options, host })
  const services = Object.values(serviceNames(name))
  let told = new Set<string>()
  let isUnseen = false
  let isClosed = false
  let cancel = (): void => {}

  const tell = (stuck: readonly Stuck[]): void => {
    const before = told
    told = new Set(stuck.filter(({ id, alarm }) => alarm || before.has(id)).map(({ id }) => id))
    isUnseen = false
    for (const { id, alarm } of stuck) if (alarm && !before.has(id)) alarmed(alarm)
  }
  const miss = (error: unknown): void => {
    if (!isAgentError(error)) throw error
    const isKnown = isUnseen
    isUnseen = true
    if (!isKnown) alarmed({ type: 'unseen', error })
  }
  const look = async (): Promise<void> => {
    try {
      const stuck = await readStuck(admin, { services, attempts })
      if (!isClosed) tell(stuck)
    } catch (error) {
      if (!isClosed) miss(error)
    } finally {
      if (!isClosed) cancel = host.timer(every, look)
    }
  }
  void look()
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

import type { ChildProcess } from 'node:child_process'
import { kill } from '../processes/kill.ts'
import type { Trouble } from './trouble.ts'

const minute = 60_000
const jumps = [10 * minute, -10 * minute, 24 * 60 * minute, -24 * 60 * minute, 3 * minute, -11 * minute]

/** A clock is set to another time, and back. */
export const clockTrouble = (jump: (ms: number) => unknown): Trouble => ({
  name: 'the clock jumps by minutes or days',
  async begin(random) {
    const ms = jumps[Math.floor(random() * jumps.length)] ?? 0
    await jump(ms)
    return () => jump(-ms)
  },
})

/** A process is stopped, as a laptop that sleeps or a container that is paused, and continues. */
export const sleepTrouble = (name: string, pid: () => number | PromiseLike<number>, seenMs?: number): Trouble => ({
  name,
  longestMs: Number(process.env.SLEEP_MS ?? 6_000),
  ...(seenMs !== undefined && { seenMs }),
  async begin() {
    const sleeper = await pid()
    process.kill(sleeper, 'SIGSTOP')
    return () => process.kill(sleeper, 'SIGCONT')
  },
})

export interface Restarted {
  /** The process that is there now. */
  readonly child: ChildProcess
  start(): Promise<void>
}

/** The server is killed, and started again. */
export const killTrouble = (server: Restarted, seenMs: number): Trouble => ({
  name: 'the server is killed',
  seenMs,
  async begin() {
    await kill(server.child)
    return () => server.start()
  },
})

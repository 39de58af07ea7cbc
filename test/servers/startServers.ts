import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bundleProgram } from '../processes/bundleProgram.ts'
import { freePorts } from '../processes/freePorts.ts'
import { kill } from '../processes/kill.ts'

export interface ServersOptions {
  readonly count: number
  readonly env: Readonly<Record<string, string>>
}

/** Processes that serve the same runs, each at an address of its own. */
export interface Servers {
  /** Sends a request to one of them, by chance, as a load balancer does. */
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** Kills one, so many milliseconds after it learned of its end. Another starts in its place meanwhile. */
  kill(lastMs?: number): Promise<void>
  /** Stops one for so many milliseconds, as a machine that swaps does. Meanwhile requests go to the others. */
  freeze(ms: number): Promise<void>
  close(): Promise<void>
}

interface Member {
  readonly port: number
  process: ChildProcess
  isAway: boolean
}

let bundling: Promise<string> | undefined

export async function startServers({ count, env }: ServersOptions, random: () => number): Promise<Servers> {
  // The module that `pg` requires only if it is installed.
  bundling ??= bundleProgram(path.join(import.meta.dirname, 'shopServer.ts'), ['pg-native'])
  const file = await bundling
  const start = async (port: number): Promise<ChildProcess> => {
    const variables = { ...process.env, NODE_COMPILE_CACHE: path.dirname(file), ...env, PORT: `${port}` }
    const child = fork(file, { execArgv: [], env: variables })
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The server ended with ${code}.`)
    })
    await Promise.race([once(child, 'message'), ended])
    ended.catch(() => {})
    return child
  }
  const ports = await freePorts(count)
  const members: Member[] = await Promise.all(
    ports.map(async (port) => ({ port, process: await start(port), isAway: false })),
  )
  const anyOf = (some: readonly Member[]): Member => some[Math.floor(random() * some.length)] ?? (members[0] as Member)
  const present = (): Member => anyOf(members.filter(({ isAway }) => !isAway))
  /** The starts of processes. */
  const starting = new Set<Promise<void>>()
  const restart = async (member: Member): Promise<void> => {
    member.process = await start(member.port)
    member.isAway = false
  }
  /** At least one is running at any time. */
  const leave = async (): Promise<Member> => {
    while (members.filter(({ isAway }) => !isAway).length < 2) await Promise.race(starting)
    const member = present()
    member.isAway = true
    return member
  }
  return {
    fetch(url, init) {
      const { pathname, search } = new URL(url)
      return fetch(`http://127.0.0.1:${present().port}${pathname}${search}`, init)
    },
    async kill(lastMs = 0) {
      const member = await leave()
      await kill(member.process, lastMs)
      const started = restart(member).finally(() => starting.delete(started))
      starting.add(started)
    },
    async freeze(ms) {
      const member = await leave()
      member.process.kill('SIGSTOP')
      await pause(ms)
      member.process.kill('SIGCONT')
      member.isAway = false
    },
    async close() {
      await Promise.all(starting)
      await Promise.all(members.map(({ process: each }) => kill(each)))
    },
  }
}

import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from '../processes/freePorts.ts'
import { kill } from '../processes/kill.ts'
import { startShopServer } from './startShopServer.ts'

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

export async function startServers({ count, env }: ServersOptions, random: () => number): Promise<Servers> {
  const start = (port: number): Promise<ChildProcess> => startShopServer(port, env)
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

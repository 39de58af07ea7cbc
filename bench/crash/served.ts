import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import type { RemoteAgent } from '@interleave/connect/http'
import { freePort } from '../../test/processes/freePorts.ts'
import { kill } from '../../test/processes/kill.ts'
import { report } from './programs/payer.ts'
import type { Begin } from './subject.ts'

/** Something that serves runs to clients, and can die. */
export interface Host {
  /** The agent with this kind of tool, as this user has it. */
  agentOf(tool: string, user: string): RemoteAgent<string>
  /** Kills what executes the runs. When it resolves, its successor is there, or on its way. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** A client, in this process. What it is a client of is killed, of which each trial has one for itself. */
export function servedLife(hosts: readonly Host[]): Begin {
  const free = [...hosts]
  const taken = new Map<string, Host>()
  return async (told) => {
    const known = taken.get(told.run)
    const host = known ?? free.pop()
    if (!host) throw new Error(`Only ${hosts.length} trials can be made at once here.`)
    taken.set(told.run, host)
    const agent = host.agentOf(told.tool, told.run)
    const run = known ? await agent.resume(told.run) : agent.start(told.run, { id: told.run })
    let isClosed = false
    const failed = report(told, run).then(never, (error: unknown) => (isClosed ? never() : Promise.reject(error)))
    failed.catch(() => {})
    return {
      failed,
      async kill() {
        isClosed = true
        run.close()
        if (!known) return host.kill()
        taken.delete(told.run)
        free.push(host)
      },
    }
  }
}

const never = (): Promise<never> => new Promise(() => {})

/** A process that serves at an address, and another one that is ready to take its place. */
export class Relay {
  readonly #start: () => Promise<Member>
  #owner: Member
  #next: Promise<Member>

  private constructor(start: () => Promise<Member>, owner: Member) {
    this.#start = start
    this.#owner = owner
    this.#next = start()
  }

  static async open(program: string, env: Readonly<Record<string, string>>): Promise<Relay> {
    const start = async (): Promise<Member> => {
      const port = await freePort()
      const child = fork(program, { env: { ...process.env, ...env, PORT: `${port}` }, execArgv: [quiet] })
      const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with ${code}.`)))
      ended.catch(() => {})
      await Promise.race([once(child, 'message'), ended])
      return { port, child }
    }
    return new Relay(start, await start())
  }

  /** The port of the process that serves now. */
  get port(): number {
    return this.#owner.port
  }

  async kill(): Promise<void> {
    const { child } = this.#owner
    this.#owner = await this.#next
    await kill(child)
    this.#next = this.#start()
  }

  async close(): Promise<void> {
    for (const { child } of [this.#owner, await this.#next]) await kill(child)
  }
}

interface Member {
  readonly port: number
  readonly child: ChildProcess
}

const quiet = '--disable-warning=ExperimentalWarning'

import type { ChildProcess } from 'node:child_process'
import { freePort } from '../processes/freePorts.ts'
import { kill } from '../processes/kill.ts'
import type { Gate } from './openGate.ts'
import { startWorker, type WorkerSettings } from './startWorker.ts'

/** A worker behind a door, and others that are ready to take its place. */
export interface Crew {
  /** Lets the one in reserve take over, and gives the one that worked. */
  relieve(): Promise<ChildProcess>
  /** Kills the one that works, so many milliseconds after it learned of its end. */
  kill(lastMs?: number): Promise<void>
  close(): Promise<void>
}

const reserve = 2

interface Member {
  readonly port: number
  readonly worker: ChildProcess
}

export async function createCrew(gate: Gate, settings: WorkerSettings): Promise<Crew> {
  const hire = async (): Promise<Member> => {
    const port = await freePort()
    return { port, worker: await startWorker(port, settings) }
  }
  const all = new Set<ChildProcess>()
  /** The latest start: each begins when the previous one is ready. */
  let last: Promise<unknown> = Promise.resolve()
  const hireNext = (): Promise<Member> => {
    const next = last.then(hire)
    last = next
    void next.then(({ worker }) => all.add(worker))
    return next
  }
  let works = await hireNext()
  const waiting = Array.from({ length: reserve }, hireNext)
  await waiting[0]
  gate.leadTo(works.port)

  const relieve = async (): Promise<ChildProcess> => {
    const { worker } = works
    waiting.push(hireNext())
    works = (await waiting.shift()) ?? works
    gate.leadTo(works.port)
    return worker
  }
  return {
    relieve,
    async kill(lastMs) {
      // At once: the next one may not be there yet.
      const { worker } = works
      all.delete(worker)
      await Promise.all([kill(worker, lastMs), relieve()])
    },
    async close() {
      await last
      for (const worker of all) await kill(worker)
    },
  }
}

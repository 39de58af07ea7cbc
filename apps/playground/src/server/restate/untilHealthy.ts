import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** Resolves when a process answers at an address. Rejects when it is gone before. */
export async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  while (!(await isHealthy(url))) {
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`What is to answer at ${url} ended with ${end}.`)
    await pause(50)
  }
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

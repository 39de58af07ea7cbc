import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** Ends a process in the middle of what it does, or so many milliseconds after it learned of its end. Resolves when it is gone. */
export async function kill(child: ChildProcess, lastMs = 0): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  if (lastMs > 0) {
    child.send('end')
    await pause(lastMs)
  }
  child.kill('SIGKILL')
  await gone
}

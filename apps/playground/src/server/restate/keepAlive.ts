import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

export interface KeptAlive {
  readonly pid: number
  /** Ends the process and does not start it again. */
  end(): Promise<void>
}

export interface KeepAliveOptions {
  readonly start: () => Promise<ChildProcess>
  /** Called when the process ended and another one was started. */
  readonly onRestart: (pids: { readonly before: number; readonly now: number }) => void
  readonly onFail: (error: unknown) => void
}

/** Starts a process, and starts it again whenever it ends. */
export async function keepAlive({ start, onRestart, onFail }: KeepAliveOptions): Promise<KeptAlive> {
  let isOver = false
  let current = await start()

  const watch = (watched: ChildProcess): void => {
    watched.once('exit', () => void replace(pidOf(watched)).catch((error: unknown) => isOver || onFail(error)))
  }
  const replace = async (before: number): Promise<void> => {
    // Ctrl-C ends all processes of a terminal at once: this one may notice it a moment later.
    await pause(100)
    if (isOver) return
    const next = await start()
    current = next
    if (isOver) return void next.kill('SIGTERM')
    watch(next)
    onRestart({ before, now: pidOf(next) })
  }
  watch(current)
  return {
    get pid() {
      return pidOf(current)
    },
    async end() {
      isOver = true
      await endProcess(current)
    },
  }
}

const pidOf = ({ pid = 0 }: ChildProcess): number => pid

/** Asks a process to end, and kills it after some seconds. Resolves when it has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timeout = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(timeout)
}

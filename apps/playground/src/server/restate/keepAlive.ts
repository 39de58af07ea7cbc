import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

export interface KeptAlive {
  readonly pid: number
  /** Ends it for good. */
  end(): Promise<void>
}

export interface KeepAliveOptions {
  readonly start: () => Promise<ChildProcess>
  /** It is gone, and another one is there. */
  readonly onRestart: (pids: { readonly before: number; readonly now: number }) => void
  readonly onFail: (error: unknown) => void
}

/** A process that is started again whenever it ends. */
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

/** Asks a process to end, and kills it after some seconds. Resolves when it is gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const inVain = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await gone
  clearTimeout(inVain)
}

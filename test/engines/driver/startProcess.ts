import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface RunningProcess {
  readonly pid: number
  /** Ends it, and resolves when it is gone. */
  end(): Promise<void>
}

/** Starts a program, and gives each line that it writes to a function. It ends with this process. */
export function startProcess(
  program: string,
  args: readonly string[],
  { onLine, ...options }: SpawnOptions & { readonly onLine: (line: string) => void },
): RunningProcess {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine)
  const killNow = (): void => void child.kill('SIGKILL')
  process.once('exit', killNow)
  return {
    pid: child.pid ?? 0,
    async end() {
      process.off('exit', killNow)
      await ended(child)
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await gone
  clearTimeout(late)
}

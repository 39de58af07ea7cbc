import type { ChildProcess } from 'node:child_process'

/** Ends a process as it likes, and after some seconds in any case. Resolves when it is gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const inVain = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await gone
  clearTimeout(inVain)
}

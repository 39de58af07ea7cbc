import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

export interface Command {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command to its end and returns what it printed. Rejects with all of that if it failed. */
export async function run(line: string, command: Command): Promise<string> {
  const child = start(line, command)
  const [code] = await once(child.process, 'close')
  if (code !== 0) throw new Error(`${line} ended with ${code}:\n${child.printed()}`)
  return child.printed()
}

export interface Started {
  readonly process: ChildProcess
  /** Returns all that it has printed so far. */
  printed(): string
  /** Ends it, with all processes that it started. */
  stop(): Promise<void>
}

export function start(line: string, { cwd, env }: Command): Started {
  const child = spawn(line, {
    cwd,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: undefined, NODE_OPTIONS: undefined, CI: 'true', ...env },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk
    })
  child.on('error', (error) => {
    text += error.message
  })
  return {
    process: child,
    printed: () => text,
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      process.kill(-child.pid, 'SIGKILL')
      await closed
    },
  }
}

/** Waits until a server answers. Rejects with what it printed if it ends before. */
export async function answers(url: string, server: Started): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
    if (server.process.exitCode !== null || server.process.pid === undefined)
      throw new Error(`The server ended:\n${server.printed()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

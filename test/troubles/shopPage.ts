import type { RemoteRun } from '@interleave/connect/http'
import { type AgentHandle, type Event, isAgentError, type Run, type RunState } from '@interleave/core'

/** What a page shows of a run. */
export interface Shown {
  readonly log: readonly Event[]
  readonly signal: RunState['signal']
  /** What it shows of something that is wrong, or of a wait; nothing while all seems well. */
  readonly trouble: string | undefined
}

/** A page of a user with runs of `shopAgent`, in this process or in a browser. */
export interface ShopPage {
  /** Opens a run, or starts it if there is none. */
  open(id: string, message: string): Promise<unknown>
  /** Returns nothing before it is open. */
  show(id: string): Promise<Shown | undefined>
  reply(id: string, ask: string, value: unknown): Promise<unknown>
  say(id: string, text: string): Promise<unknown>
  /** The button that is there when a run has failed or stopped. */
  retry(id: string): Promise<unknown>
  reload(): Promise<unknown>
}

/** Opens a page whose agent is given. To reload it is to open another one. */
export function openShopPage(openAgent: () => AgentHandle): ShopPage {
  let runs = new Map<string, Run>()
  let agent = openAgent()
  const runOf = (id: string): Run => {
    const run = runs.get(id)
    if (!run) throw new Error(`The page does not show ${id}.`)
    return run
  }
  return {
    async open(id, message) {
      if (runs.has(id)) return
      const [opened, opener] = [runs, agent]
      const run = await opener.resume(id).catch((error: unknown) => {
        if (!isAgentError(error) || error.code !== 'run_unknown') throw error
        return opened.get(id) ?? opener.start(message, { id })
      })
      opened.set(id, run)
    },
    async show(id) {
      const run = runs.get(id)
      return run && { log: [...run.log], signal: run.state.signal, trouble: troubleOf(run) }
    },
    reply: async (id, ask, value) => runOf(id).reply(ask, value as never),
    say: async (id, text) => runOf(id).say(text),
    retry: async (id) => runOf(id).resume(),
    async reload() {
      for (const run of runs.values()) (run as Partial<RemoteRun>).close?.()
      runs = new Map()
      agent = openAgent()
    },
  }
}

function troubleOf(run: Run): string | undefined {
  const { connection } = run as Partial<RemoteRun>
  if (run.state.signal) return run.state.signal.type
  if (run.state.saving) return 'saving'
  if (connection?.type === 'connected') return connection.isPolling ? 'polling' : undefined
  return connection?.type
}

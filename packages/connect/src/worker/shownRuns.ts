import type { Run } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { AnyEvent } from '@interleave/core/observe'
import type { HostMessage } from '../hostMessage.ts'
import type { HostedRuns } from './hostedRuns.ts'
import { relayRun } from './relayRun.ts'

/** The runs that one page shows. It receives all their events. */
export interface ShownRuns {
  /** Returns true if it shows this run, or an ancestor of it. */
  has(runId: string): boolean
  /** Finds or begins a run that the page wants to show. */
  open(id: string, find: () => Run | Promise<Run>): Promise<Run>
  get(id: string): Run
  /** Ends the page's subscription to a run. */
  hide(id: string): void
  end(): void
}

export interface ShownRunsOptions {
  readonly runs: HostedRuns
  /** The number of pages that show each run. */
  readonly seen: Map<string, number>
  readonly post: (message: HostMessage) => void
  /** The page shows a run, and is to be thought of for its tools. */
  readonly onShow: () => void
}

interface Telling {
  readonly run: Run
  leave(): void
}

export function createShownRuns({ runs, seen, post, onShow }: ShownRunsOptions): ShownRuns {
  /** The page's subscriptions; undefined while a run is being loaded. */
  const shown = new Map<string, Telling | undefined>()

  const show = (id: string): void => {
    if (shown.has(id)) return
    shown.set(id, undefined)
    seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  const hide = (id: string): void => {
    if (!shown.has(id)) return
    shown.get(id)?.leave()
    shown.delete(id)
    const others = (seen.get(id) ?? 1) - 1
    if (others > 0) seen.set(id, others)
    else seen.delete(id)
    void runs.leave(id)
  }
  const tell = (run: Run): void => {
    const { id } = run
    const before = shown.get(id)
    // The page may be gone, or have it already.
    if (!shown.has(id) || before?.run === run) return
    before?.leave()
    const told = (events: readonly AnyEvent[]): void => post({ type: 'told', run: id, events })
    // It was loaded anew, since somebody else has gone on with it.
    if (before) told([{ type: 'rewound', to: 0 }])
    shown.set(id, { run, leave: relayRun(run, told) })
  }

  return {
    has: (id) => shown.has(id) || [...shown.keys()].some((above) => id.startsWith(`${above}/`)),
    async open(id, find) {
      const isNew = !shown.has(id)
      // Before it goes on: a tool of pages may be the first thing that it does.
      show(id)
      onShow()
      try {
        const run = await find()
        tell(run)
        return run
      } catch (error) {
        if (isNew) hide(id)
        throw error
      }
    },
    get(id) {
      const run = shown.has(id) ? runs.find(id) : undefined
      if (!run) throw new AgentError('run_unknown', `This page has no run "${id}" in the worker.`)
      tell(run)
      return run
    },
    hide,
    end() {
      for (const id of [...shown.keys()]) hide(id)
    },
  }
}

import { checkRunId } from '../checkRunId.ts'
import { demand } from '../demand.ts'
import type { EventBody } from '../event.ts'
import type { Host } from '../host.ts'
import { observeOnce } from '../observeOnce.ts'
import { isBlank, type UserContent } from '../part.ts'
import { plainContent, plainMessages } from '../plainContent.ts'
import type { HandleOptions, Run } from '../run.ts'
import { type Followed, followRun } from './followRun.ts'
import type { Requests } from './requests.ts'

/** The runs of one agent that this page has. */
export interface PageRuns<Output> {
  start(input: UserContent, options: HandleOptions): Run<Output>
  /** A run that is alive in the worker, or in its journal. The same object for the same run. */
  open(id: string): Promise<Run<Output>>
  tell(id: string, events: readonly unknown[]): void
  /** The worker is gone. */
  failAll(error: unknown): void
}

export interface PageRunsOptions {
  /** The agent's name. */
  readonly agent: string
  readonly host: Pick<Host, 'now' | 'newId'>
  readonly send: Requests['send']
}

export function createPageRuns<Output>({ agent, host, send }: PageRunsOptions): PageRuns<Output> {
  const runs = new Map<string, Followed<Output>>()

  const follow = (id: string, begin: readonly EventBody[] = []): Followed<Output> => {
    const followed = followRun<Output>({
      id,
      host,
      begin,
      send: (command) => send({ type: 'command', run: id, command }),
      settle: () => send({ type: 'settle', run: id }),
    })
    runs.set(id, followed)
    return followed
  }

  return {
    start(given, { id = host.newId(), history = [], observers = [] }) {
      demand(!isBlank(given), 'An agent needs something to start with: a text that is not empty.')
      checkRunId(id)
      demand(!runs.has(id), `This page has a run "${id}" already. Start with another id.`)
      const input = plainContent(given)
      const messages = plainMessages(history)
      const { run, fail } = follow(id, [
        { type: 'started', runId: id, agent, version: '' },
        { type: 'said', by: 'user', content: input },
      ])
      observeOnce(run, observers)
      const starting = send({ type: 'start', run: id, input, ...(messages.length > 0 && { history: messages }) })
      starting.catch((error: unknown) => {
        runs.delete(id)
        fail(error)
      })
      return run
    },
    async open(id) {
      checkRunId(id)
      const known = runs.get(id)
      const { run, reach } = known ?? follow(id)
      try {
        await reach(await send({ type: 'attach', run: id }))
      } catch (error) {
        if (!known) runs.delete(id)
        throw error
      }
      return run
    },
    tell: (id, events) => runs.get(id)?.tell(events),
    failAll(error) {
      for (const { fail } of runs.values()) fail(error)
      runs.clear()
    },
  }
}

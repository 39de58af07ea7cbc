import type { GivenContent, Host } from '@interleave/core'
import type { HandleOptions, RemoteLink } from '@interleave/core/internal'
import {
  checkRunId,
  closed,
  demand,
  isBlank,
  observeOnce,
  plainContent,
  plainMessages,
} from '@interleave/core/internal'
import type { EventBody } from '@interleave/core/steps'
import { type Followed, followRun, type HostedRun } from './followRun.ts'
import type { Requests } from './requests.ts'

/** The runs of one agent that this page has. */
export interface PageRuns<Output> {
  start(input: GivenContent, options: HandleOptions): HostedRun<Output>
  /** A run that is alive in the worker, or in its journal. The same object for the same run, until it is closed. */
  open(id: string): Promise<HostedRun<Output>>
  tell(id: string, events: readonly unknown[]): void
  /** Gives whether that is something new. */
  linked(id: string, link: RemoteLink): boolean
  /** Fails one run: nothing more will be emitted for it. */
  fail(id: string, error: unknown): void
  /** The worker is gone. */
  failAll(error: unknown): void
}

export interface PageRunsOptions {
  /** The agent's name. */
  readonly agent: string
  readonly host: Pick<Host, 'now' | 'newId'>
  readonly requests: Pick<Requests, 'send' | 'rejectOf'>
  /** Shows messages immediately, before the worker has them. */
  readonly showsSaid?: boolean
}

export function createPageRuns<Output>({
  agent,
  host,
  requests,
  showsSaid = false,
}: PageRunsOptions): PageRuns<Output> {
  const { send, rejectOf } = requests
  const runs = new Map<string, Followed<Output>>()
  /** Runs that are closed here, of which the worker may still send events. */
  const leaving = new Map<string, Promise<unknown>>()

  const follow = (id: string, begin: readonly EventBody[] = []): Followed<Output> => {
    const followed = followRun<Output>({
      id,
      host,
      begin,
      showsSaid,
      send: (command) => send({ type: 'command', run: id, command }),
      settle: () => send({ type: 'settle', run: id }),
      onClose() {
        if (!forget(id, followed)) return
        rejectOf(id, closed())
        leave(id)
      },
    })
    runs.set(id, followed)
    return followed
  }
  const forget = (id: string, followed: Followed<Output>): boolean => runs.get(id) === followed && runs.delete(id)
  const leave = (id: string): void => {
    const left = send({ type: 'leave', run: id })
      .catch(() => {})
      .then(() => leaving.delete(id))
    leaving.set(id, left)
  }

  const pageRuns: PageRuns<Output> = {
    start(given, { id = host.newId(), key, history = [], observers = [] }) {
      demand(!isBlank(given), 'An agent needs something to start with: a text that is not empty.')
      checkRunId(id)
      demand(!runs.has(id) && !leaving.has(id), `This page has a run "${id}" already. Start with another id.`)
      const input = plainContent(given)
      const messages = plainMessages(history)
      const named = key !== undefined && { key }
      const followed = follow(id, [
        { type: 'started', runId: id, agent, version: '' },
        { type: 'said', by: 'user', content: input, ...named, ...(showsSaid && { isSending: true }) },
      ])
      observeOnce(followed.run, observers)
      const starting = send({
        type: 'start',
        run: id,
        input,
        ...named,
        ...(messages.length > 0 && { history: messages }),
      })
      starting.catch((error: unknown) => {
        forget(id, followed)
        followed.fail(error)
      })
      return followed.run
    },
    async open(id) {
      checkRunId(id)
      // What is told until then is of the one that was closed.
      await leaving.get(id)
      const known = runs.get(id)
      const followed = known ?? follow(id)
      try {
        await followed.reach(await send({ type: 'attach', run: id }))
      } catch (error) {
        if (!known) forget(id, followed)
        if (!followed.isClosed) throw error
      }
      return followed.isClosed ? pageRuns.open(id) : followed.run
    },
    tell(id, events) {
      const followed = runs.get(id)
      if (!followed || followed.tell(events)) return
      // Nothing more of it can be used here. Whoever opens it again has it told anew.
      forget(id, followed)
      leave(id)
    },
    linked: (id, link) => runs.get(id)?.linked(link) ?? true,
    fail(id, error) {
      const failing = runs.get(id)
      runs.delete(id)
      failing?.fail(error)
    },
    failAll(error) {
      for (const { fail } of runs.values()) fail(error)
      runs.clear()
    },
  }
  return pageRuns
}

import type { AgentHandle } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { assertOption, checkHandle, checkOptions, DEV, toFailure } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { HostMessage } from '../messages.ts'
import { type Hello, holdLock, isForUs, isHello, protocol } from './hello.ts'
import { HostedRuns } from './hostedRuns.ts'
import { PageSession } from './pageSession.ts'

export interface WorkerHostOptions {
  /** Persists the runs of plain agents. A handle, as `acrossTabs()` makes it, has its own journal. */
  journal?: Journal
}

/** The runs of one worker. */
export interface WorkerHost {
  /** Listens on another port, for pages that do not connect to this worker itself. */
  connect(port: HostPort): void
}

/** A port, or an object that can be used like one. Its types need no `lib` of a browser. */
export interface HostPort {
  addEventListener(type: string, listener: (event: unknown) => void): void
  start?(): void
}

/**
 * Lets pages use agents that run in this worker, dedicated or shared: `workerAgent()` is the other side. Call it at the top
 * of the worker's file, before any `await`: earlier messages of a page are lost.
 *
 * @example
 * export const guide = agent({ name: 'guide', model, tools })
 * workerHost([guide], { journal: indexedDbJournal() })
 */
export function workerHost(agents: readonly AgentHandle[], options: WorkerHostOptions = {}): WorkerHost {
  checkOptions('workerHost()', options, ['journal'])
  const { journal } = options
  assertOption(Array.isArray(agents), DEV && 'A workerHost() needs a list of agents: workerHost([guide]).')
  for (const agent of agents) checkHandle(agent, 'workerHost()')
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  assertOption(byName.size > 0, DEV && 'A workerHost() needs an agent: workerHost([guide]).')
  assertOption(
    byName.size === agents.length,
    DEV && 'Two agents of a workerHost() have the same name. Rename one of them.',
  )
  const runs = new HostedRuns(journal)
  const greet = async (port: MessagePort, data: unknown): Promise<void> => {
    const post = (message: HostMessage): void => port.postMessage(message)
    const wrong = isHello(data) ? undefined : otherVersion(data)
    const agent = isHello(data) ? byName.get(data.agent) : undefined
    if (isHello(data) && agent) {
      const visit = new AbortController()
      const lock = await holdLock(visit.signal)
      new PageSession({ port, lock: data.lock }, { hello: data, agent, runs, onClose: () => visit.abort() })
      post({ type: 'welcome', ...(lock !== undefined && { lock }) })
    } else post({ type: 'refused', failure: toFailure(wrong ?? missing(data as Hello, byName), 'worker_failed') })
  }
  const host: WorkerHost = {
    connect(port) {
      port.addEventListener('message', (event) => {
        const { data, ports } = event as MessageEvent
        const [own] = ports
        if (own && isForUs(data)) void greet(own, data)
      })
      port.start?.()
    },
  }
  listen(host)
  return host
}

/** Listens for pages. A dedicated worker is its own port; a shared worker gets one per page. */
function listen({ connect }: WorkerHost): void {
  if ('DedicatedWorkerGlobalScope' in globalThis) connect({ addEventListener: addEventListener.bind(globalThis) })
  if (!('SharedWorkerGlobalScope' in globalThis)) return
  addEventListener('connect', (event) => {
    for (const port of (event as MessageEvent).ports) connect(port)
  })
}

function otherVersion(data: unknown): AgentError {
  const version = String((data as Hello).protocol)
  return new AgentError(
    'worker_failed',
    `The page speaks version ${version} of the protocol, and the worker version ${protocol}. Load the page again: all tabs, if the worker is shared.`,
  )
}

function missing({ agent }: Hello, agents: ReadonlyMap<string, unknown>): AgentError {
  const names = [...agents.keys()].join(', ')
  return new AgentError('worker_failed', `The worker has no agent "${agent}". Its workerHost() has: ${names}.`)
}

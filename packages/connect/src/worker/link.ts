import type { AgentError, Host } from '@interleave/core'
import { fromFailure } from '@interleave/core/internal'
import { type HostMessage, isHostMessage } from '../hostMessage.ts'
import type { PageMessage } from '../pageMessage.ts'
import { type Hello, protocol } from './hello.ts'
import { holdLife, whenGone } from './life.ts'
import { gone, notStarted, silent, unreadable } from './linkFaults.ts'

/** A `Worker`, a `SharedWorker`, or a port that leads to a `workerHost()`. */
export type WorkerLike = WorkerPort | (Pick<EventTarget, 'addEventListener'> & { readonly port: WorkerPort })
type WorkerPort = Pick<MessagePort, 'addEventListener'> & {
  postMessage(message: unknown, transfer: Transferable[]): void
}

/** The page's end of the talk with a worker. What is sent before the worker answers is sent then. */
export interface Link {
  /** Why nothing comes through any more. */
  readonly fault: AgentError | undefined
  send(message: PageMessage): void
}

export interface LinkOptions {
  readonly worker: WorkerLike
  readonly hello: Pick<Hello, 'agent' | 'tools' | 'models'>
  readonly host: Pick<Host, 'timer'>
  readonly onMessage: (message: HostMessage) => void
  /** Called once, when the worker is gone or was never there. */
  readonly onLost: (fault: AgentError) => void
}

/**
 * Milliseconds after which an unanswered greeting is repeated: the worker receives nothing before its file is loaded.
 */
const greetAgainAfterMs = [1_000, 4_000, 25_000]

export function createLink({ worker, hello, host, onMessage, onLost }: LinkOptions): Link {
  const outbox: PageMessage[] = []
  /** Those on which the worker has not answered. */
  const greeted = new Set<MessagePort>()
  let port: MessagePort | undefined
  let stopWaiting = (): void => {}

  const lose = (fault: AgentError): void => {
    if (link.fault) return
    link.fault = fault
    stopWaiting()
    for (const each of greeted) each.close()
    port?.close()
    onLost(fault)
  }
  const accept = (from: MessagePort, lock: string | undefined): void => {
    stopWaiting()
    port = from
    greeted.delete(from)
    for (const other of greeted) leave(other)
    greeted.clear()
    stopWaiting = whenGone({ port, lock }, () => lose(gone()))
    for (const message of outbox.splice(0)) port.postMessage(message)
  }
  const hear = (from: MessagePort, message: HostMessage): void => {
    if (message.type === 'refused') lose(fromFailure(message.failure))
    else if (message.type !== 'welcome') onMessage(message)
    else if (!port && !link.fault) accept(from, message.lock)
  }
  const greet = (lock: string | undefined, [wait, ...waits]: readonly number[]): void => {
    if (wait === undefined) lose(silent())
    if (wait === undefined || link.fault) return
    const own = greetOn(worker, { ...hello, type: 'interleave', protocol, ...(lock !== undefined && { lock }) })
    greeted.add(own)
    own.addEventListener('message', ({ data }: MessageEvent) => {
      if (isHostMessage(data)) hear(own, data)
    })
    own.addEventListener('messageerror', () => lose(unreadable()))
    own.start()
    stopWaiting = host.timer(wait, () => greet(lock, waits))
  }

  const link: Link & { fault: AgentError | undefined } = {
    fault: undefined,
    send(message) {
      if (port) port.postMessage(message)
      else if (!link.fault) outbox.push(message)
    },
  }
  // What goes wrong later in a worker that answers is its own affair.
  worker.addEventListener('error', (event) => !port && lose(notStarted(event)))
  holdLife().then((lock) => greet(lock, greetAgainAfterMs))
  return link
}

/** Gives the worker one end of a new channel, and returns the other. */
function greetOn(worker: WorkerLike, hello: Hello): MessagePort {
  const { port1, port2 } = new MessageChannel()
  const outer = 'port' in worker ? worker.port : worker
  outer.postMessage(hello, [port2])
  return port1
}

/** Closes the port. The worker may still have received the message. */
function leave(port: MessagePort): void {
  port.postMessage({ type: 'bye' } satisfies PageMessage)
  port.close()
}

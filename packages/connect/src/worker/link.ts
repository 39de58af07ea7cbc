import { AgentError, type Host } from '@interleave/core'
import { fromFailure, messageOf } from '@interleave/core/internal'
import { type HostMessage, isHostMessage, type PageMessage } from '../messages.ts'
import { type Hello, holdLife, protocol, whenGone } from './hello.ts'

/** A `Worker`, a `SharedWorker`, or a port that leads to a `workerHost()`. */
export type WorkerLike = WorkerPort | (Pick<EventTarget, 'addEventListener'> & { readonly port: WorkerPort })
type WorkerPort = Pick<MessagePort, 'addEventListener'> & {
  postMessage(message: unknown, transfer: Transferable[]): void
}

export interface LinkOptions {
  readonly worker: WorkerLike
  readonly hello: Pick<Hello, 'agent' | 'tools' | 'models'>
  readonly host: Pick<Host, 'timer'>
  readonly onMessage: (message: HostMessage) => void
  /** Called once, when the worker has ended or did not start. */
  readonly onLost: (fault: AgentError) => void
}

/**
 * Milliseconds without an answer after which the worker is greeted again: it may miss a greeting until its file is
 * loaded.
 */
const greetAgainAfterMs = [1_000, 4_000, 25_000]

/** The page's end of the connection to a worker. Messages are sent when the worker has answered the greeting. */
export class WorkerLink {
  /** The reason why the worker is unreachable. */
  fault: AgentError | undefined
  readonly #options: LinkOptions
  readonly #outbox: { readonly message: PageMessage; readonly signal: AbortSignal | undefined }[] = []
  /** Ports on which the worker has not answered. */
  readonly #greeted = new Set<MessagePort>()
  #port: MessagePort | undefined
  #stopWaiting = (): void => {}

  constructor(options: LinkOptions) {
    this.#options = options
    // A worker that responds handles its later errors itself.
    options.worker.addEventListener('error', (event) => !this.#port && this.#lose(notStarted(event)))
    holdLife().then((lock) => this.#greet(lock, greetAgainAfterMs))
  }

  /** Sends a message once the worker has answered, unless the signal aborts before. */
  sendMessage(message: PageMessage, signal?: AbortSignal): void {
    if (this.#port) this.#port.postMessage(message)
    else if (!this.fault) this.#outbox.push({ message, signal })
  }

  #lose(fault: AgentError): void {
    if (this.fault) return
    this.fault = fault
    this.#stopWaiting()
    for (const each of this.#greeted) each.close()
    this.#port?.close()
    this.#options.onLost(fault)
  }

  #greet(lock: string | undefined, [wait, ...waits]: readonly number[]): void {
    if (wait === undefined) this.#lose(silent())
    if (wait === undefined || this.fault) return
    const { worker, hello, host } = this.#options
    const { port1: own, port2 } = new MessageChannel()
    const greeting: Hello = { ...hello, type: 'interleave', protocol, ...(lock !== undefined && { lock }) }
    const outer = 'port' in worker ? worker.port : worker
    outer.postMessage(greeting, [port2])
    this.#greeted.add(own)
    own.addEventListener('message', ({ data }: MessageEvent) => {
      if (isHostMessage(data)) this.#receiveMessage(own, data)
    })
    own.addEventListener('messageerror', () => this.#lose(unreadable()))
    own.start()
    this.#stopWaiting = host.timer(wait, () => this.#greet(lock, waits))
  }

  #receiveMessage(from: MessagePort, message: HostMessage): void {
    if (message.type === 'refused') this.#lose(fromFailure(message.failure))
    else if (message.type !== 'welcome') this.#options.onMessage(message)
    else if (!this.#port && !this.fault) this.#accept(from, message.lock)
  }

  #accept(port: MessagePort, lock: string | undefined): void {
    this.#stopWaiting()
    this.#port = port
    this.#greeted.delete(port)
    for (const other of this.#greeted) leave(other)
    this.#greeted.clear()
    this.#stopWaiting = whenGone({ port, lock }, () => this.#lose(gone()))
    for (const { message, signal } of this.#outbox.splice(0)) if (!signal?.aborted) port.postMessage(message)
  }
}

/** Closes a port. The worker may have received the greeting on it nevertheless. */
function leave(port: MessagePort): void {
  port.postMessage({ type: 'bye' } satisfies PageMessage)
  port.close()
}

const advice = 'Create a new worker, and resume the run with its workerAgent().'
const faultOf = (message: string): AgentError => new AgentError('worker_failed', message, { retryable: true })
const gone = (): AgentError => faultOf(`The worker is gone: it crashed, or was terminated. ${advice}`)
const unreadable = (): AgentError => faultOf(`The worker sent a message that this page cannot read. ${advice}`)
const silent = (): AgentError =>
  faultOf('The worker does not answer. Does its file call workerHost(), and before anything that it awaits?')

/** Creates the error of a worker that did not start. Its `error` event has no message if the file is missing. */
function notStarted(event: Event): AgentError {
  const { message, error } = event as Partial<ErrorEvent>
  const why = message || (error ? messageOf(error) : 'its file could not be loaded')
  return faultOf(`The worker did not start: ${why}. Check its address, and its own errors in the console.`)
}

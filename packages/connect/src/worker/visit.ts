import { AgentError, type Host } from '@interleave/core'
import { fromFailure } from '@interleave/core/internal'
import { type HostMessage, isHostMessage, type PageMessage } from '../messages.ts'
import { type Hello, holdLock, protocol, type Sign, whenGone } from './hello.ts'

/** A `Worker`, a `SharedWorker`, or a port that leads to a `workerHost()`. These types need no `lib` of a browser. */
export type WorkerLike = WorkerPort | (Listening & { readonly port: WorkerPort })
interface Listening {
  addEventListener(type: string, listener: (event: unknown) => void): void
}
interface WorkerPort extends Listening {
  postMessage(message: unknown, transfer: readonly unknown[]): void
  terminate?(): void
}

/**
 * The reason why a visit ended: the worker refuses the page, does not answer, sent a message that cannot be read, or took
 * the page for gone; or its port was closed, or its lock is free.
 */
export type Ending = 'refused' | 'silent' | 'unreadable' | 'dismissed' | Sign

export interface VisitOptions {
  readonly worker: WorkerLike
  readonly hello: Omit<Hello, 'type' | 'protocol' | 'lock'>
  readonly host: Pick<Host, 'timer'>
  /** False if this page has lost a lock while it was alive. */
  readonly locks: boolean
  /** Milliseconds without an answer after which the worker is greeted again; the visit ends with the last. */
  readonly waits: readonly number[]
  readonly onWelcome: () => void
  readonly onMessage: (message: HostMessage) => void
  /** Called once, unless the page has left. */
  readonly onEnd: (ending: Ending, fault: AgentError) => void
}

/** A connection of this page to a worker, from a greeting until one of them leaves. Each holds a lock for so long. */
export class Visit {
  readonly #options: VisitOptions
  readonly #over = new AbortController()
  /** Ports on which the worker has not answered. */
  readonly #greeted = new Set<MessagePort>()
  #port: MessagePort | undefined
  #stopWaiting = (): void => {}

  constructor(options: VisitOptions) {
    this.#options = options
    const lock = options.locks ? holdLock(this.#over.signal) : Promise.resolve(undefined)
    lock.then((name) => this.#greet(name, options.waits))
  }

  /** Sends a message. Returns false if the worker has not answered the greeting yet. */
  sendMessage(message: PageMessage): boolean {
    this.#port?.postMessage(message)
    return this.#port !== undefined
  }

  /** Ends the visit. The worker may have received a greeting on any of the ports. */
  leave(): void {
    if (this.#over.signal.aborted) return
    this.#stopWaiting()
    this.#over.abort()
    for (const port of this.#greeted) sayBye(port)
    if (this.#port) sayBye(this.#port)
    this.#port = undefined
  }

  #end(ending: Ending, fault: AgentError): void {
    if (this.#over.signal.aborted) return
    this.leave()
    this.#options.onEnd(ending, fault)
  }

  #greet(lock: string | undefined, [wait, ...waits]: readonly number[]): void {
    if (wait === undefined) this.#end('silent', silent())
    if (wait === undefined || this.#over.signal.aborted) return
    const { worker, hello, host } = this.#options
    const { port1: own, port2 } = new MessageChannel()
    const greeting: Hello = { ...hello, type: 'interleave', protocol, ...(lock !== undefined && { lock }) }
    const outer = 'port' in worker ? worker.port : worker
    outer.postMessage(greeting, [port2])
    this.#greeted.add(own)
    const { signal } = this.#over
    own.addEventListener('message', ({ data }) => isHostMessage(data) && this.#receiveMessage(own, data), { signal })
    own.addEventListener('messageerror', () => this.#end('unreadable', unreadable()), { signal })
    own.start()
    this.#stopWaiting = host.timer(wait, () => this.#greet(lock, waits))
  }

  #receiveMessage(from: MessagePort, message: HostMessage): void {
    if (message.type === 'refused') this.#end('refused', fromFailure(message.failure))
    else if (message.type === 'bye') this.#end('dismissed', gone())
    else if (message.type !== 'welcome') this.#options.onMessage(message)
    else if (!this.#port) this.#accept(from, message.lock)
  }

  #accept(port: MessagePort, lock: string | undefined): void {
    this.#stopWaiting()
    this.#port = port
    this.#greeted.delete(port)
    for (const other of this.#greeted) sayBye(other)
    this.#greeted.clear()
    this.#stopWaiting = whenGone({ port, lock }, (sign) => this.#end(sign, gone()))
    this.#options.onWelcome()
  }
}

function sayBye(port: MessagePort): void {
  port.postMessage({ type: 'bye' } satisfies PageMessage)
  port.close()
}

const faultOf = (message: string): AgentError => new AgentError('worker_failed', message, { retryable: true })
const gone = (): AgentError => faultOf('The worker that executes this run has ended. Load the page again to continue.')
const unreadable = (): AgentError =>
  faultOf('The worker sent a message that this page cannot read. Load the page again to continue.')
const silent = (): AgentError =>
  faultOf('The worker does not answer. Does its file call workerHost(), and before anything that it awaits?')

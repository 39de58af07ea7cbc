import { AgentError, type Host } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import type { HostMessage, PageMessage } from '../messages.ts'
import { followPresence } from '../presence.ts'
import { type Ending, Visit, type VisitOptions, type WorkerLike } from './visit.ts'

/** A worker, or a function that creates it: one that has ended is then created again. */
export type WorkerSource = WorkerLike | (() => WorkerLike)

export interface LinkOptions {
  readonly worker: WorkerSource
  readonly hello: VisitOptions['hello']
  readonly host: Pick<Host, 'timer' | 'now'>
  readonly onMessage: (message: HostMessage) => void
  /** Called each time that the worker has answered the greeting: it knows nothing of an earlier visit. */
  readonly onWelcome: () => void
  /** Called when a visit has ended: the worker has given up its calls of this page. */
  readonly onLeave: () => void
  /** Called when the worker has ended and is created again. Returns true if the page needs it now. */
  readonly onRestart: () => boolean
  /** Called when the worker has ended or did not start, and no other is created before a user needs one. */
  readonly onLost: (fault: AgentError) => void
}

/**
 * Milliseconds without an answer after which the worker is greeted again: it may miss a greeting until its file is
 * loaded.
 */
const greetAgainAfterMs = [1_000, 4_000, 25_000]
/** The same for a worker that has answered before: it is loaded. */
const greetKnownAfterMs = [500, 2_500]

/**
 * The number of times that a worker may end within `quickMs` after it was created: it would end again. Then the next one
 * is created for the next message.
 */
const mostQuickEnds = 3
const quickMs = 10_000

/** The page's connection to a worker: one visit after the other, with one worker after the other. */
export class WorkerLink {
  /** The reason why the worker is unreachable for good. */
  fault: AgentError | undefined
  readonly #options: LinkOptions
  /** Missing after it has ended, until it is needed. */
  #worker: WorkerLike | undefined
  /** Missing while the page is left, and while there is no worker. */
  #visit: Visit | undefined
  #isLeft = false
  #wasWelcome = false
  #locks = true
  #createdAt = 0
  #quickEnds = 0

  constructor(options: LinkOptions) {
    this.#options = options
    followPresence({ onLeave: () => this.#leave(), onReturn: () => this.#return() })
    this.#greet()
  }

  /** Sends a message. Returns false if the worker cannot have it yet: it is sent after the next welcome, or never. */
  sendMessage(message: PageMessage): boolean {
    if (!this.#visit && !this.#isLeft && !this.fault) this.#greet()
    return this.#visit?.sendMessage(message) ?? false
  }

  #create(): WorkerLike {
    const { worker: source, host } = this.#options
    const worker = typeof source === 'function' ? source() : source
    this.#createdAt = host.now()
    this.#wasWelcome = false
    // A worker that responds handles its later errors itself.
    const onError = (event: unknown): void => {
      if (this.#worker === worker && !this.#wasWelcome) this.#lose(notStarted(event))
    }
    worker.addEventListener('error', onError)
    return worker
  }

  #greet(): void {
    const { hello, host, onMessage, onWelcome } = this.#options
    try {
      this.#worker ??= this.#create()
    } catch (error) {
      return void this.#lose(notCreated(error))
    }
    this.#visit = new Visit({
      ...{ worker: this.#worker, hello, host, onMessage, locks: this.#locks },
      waits: this.#wasWelcome ? greetKnownAfterMs : greetAgainAfterMs,
      onWelcome: () => {
        this.#wasWelcome = true
        onWelcome()
      },
      onEnd: (ending, fault) => this.#onEnd(ending, fault),
    })
  }

  #leave(): void {
    this.#isLeft = true
    this.#endVisit()
  }

  #return(): void {
    this.#isLeft = false
    if (this.fault) return
    // A shared worker may have ended meanwhile. If it has not, this finds the same one.
    if (this.#worker && 'port' in this.#worker && this.#mayCreate) this.#worker = undefined
    this.#greet()
  }

  #endVisit(): void {
    this.#visit?.leave()
    this.#visit = undefined
    this.#options.onLeave()
  }

  #onEnd(ending: Ending, fault: AgentError): void {
    this.#endVisit()
    // The lock of this page was free although it is alive.
    if (ending === 'dismissed') this.#locks = false
    const mayLive = ending === 'dismissed' || (ending === 'freed' && !this.#mayCreate)
    const hasEnded = ending === 'closed' || ending === 'freed' || (ending === 'silent' && this.#wasWelcome)
    if (mayLive) this.#greet()
    else if (hasEnded) this.#restart(fault)
    else this.#lose(fault)
  }

  get #mayCreate(): boolean {
    return typeof this.#options.worker === 'function'
  }

  #restart(fault: AgentError): void {
    this.#quickEnds = this.#options.host.now() - this.#createdAt < quickMs ? this.#quickEnds + 1 : 0
    if (!this.#mayCreate) return void this.#lose(fault)
    // If it is alive after all, it must not work beside the next one.
    if (this.#worker && 'terminate' in this.#worker) this.#worker.terminate?.()
    this.#worker = undefined
    if (this.#quickEnds > mostQuickEnds) this.#giveUp(fault)
    else if (this.#options.onRestart()) this.#greet()
  }

  /** Fails what is running: only a user tries again. */
  #giveUp(fault: AgentError): void {
    this.#quickEnds = 0
    this.#options.onLost(fault)
  }

  #lose(fault: AgentError): void {
    if (this.fault) return
    this.fault = fault
    this.#endVisit()
    this.#options.onLost(fault)
  }
}

/** Creates the error of a worker that the page may not have. Firefox denies a `SharedWorker` where it denies storage. */
function notCreated(cause: unknown): AgentError {
  const words = `The worker could not be created: ${messageOf(cause)}. A browser that denies a site its storage may deny a SharedWorker too: create a Worker then, or allow the site to store data.`
  return new AgentError('worker_failed', words, { cause, retryable: true })
}

/** Creates the error of a worker that did not start. Its `error` event has no message if the file is missing. */
function notStarted(event: unknown): AgentError {
  const { message, error } = Object(event) as Partial<ErrorEvent>
  const why = message || (error ? messageOf(error) : 'its file could not be loaded')
  const words = `The worker did not start: ${why}. Check its address, and its own errors in the console.`
  return new AgentError('worker_failed', words, { retryable: true })
}

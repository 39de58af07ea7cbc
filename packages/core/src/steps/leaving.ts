import { AgentError } from '../error.ts'
import { elapsedOf } from '../host.ts'
import type { RunContext } from '../run.ts'

/** The page, where there is one. */
type Page = Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>
const page: Page = globalThis

/** Milliseconds for which a page that is being left waits for the next one. */
const longest = 10_000

/**
 * Watches if the page is left while a tool runs. Firefox and WebKit then break its connections, and the page continues
 * until the next one is there: what the tool throws meanwhile is no report of the tool.
 */
export class Leaving {
  readonly #run: Pick<RunContext, 'host' | 'abortSignal'>
  #since: number | undefined

  constructor(run: Pick<RunContext, 'host' | 'abortSignal'>) {
    this.#run = run
    page.addEventListener?.('beforeunload', this)
  }

  handleEvent(): void {
    this.#since = elapsedOf(this.#run.host)
  }

  /**
   * Returns a promise that rejects with an interruption once the page was not left after all; undefined if it is not being
   * left.
   */
  refuse(cause: unknown): Promise<void> | undefined {
    const { host, abortSignal } = this.#run
    if (this.#since === undefined || elapsedOf(host) - this.#since > longest) return undefined
    return new Promise((_, reject) => {
      const give = (): void => {
        cancel()
        abortSignal.removeEventListener('abort', give)
        const interruption = new AgentError('tool_interrupted', 'The page was being left.', { cause })
        reject(abortSignal.aborted ? abortSignal.reason : interruption)
      }
      const cancel = host.timer(longest, give)
      abortSignal.addEventListener('abort', give)
    })
  }

  /** A listener that stays would keep the page out of the back/forward cache of Firefox. */
  end(): void {
    page.removeEventListener?.('beforeunload', this)
  }
}

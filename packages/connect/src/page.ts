import { localHost } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import { Calls, type SentCall } from './calls.ts'
import type { Answer, PageCall } from './messages.ts'
import type { ModelAnswer, ModelCall, ModelPart } from './modelCalls.ts'
import type { ToolAnswer, ToolCall } from './toolCalls.ts'

export interface PageOptions {
  readonly tools: readonly string[]
  readonly models: readonly string[]
  readonly post: (message: PageCall) => void
  /** Returns true if the page shows this run, or an ancestor of it. */
  readonly shows: (runId: string) => boolean
}

type NewCall = Omit<ToolCall, 'call'> | Omit<ModelCall, 'call'>
type FinalAnswer = ToolAnswer | ModelAnswer

/** A page, as the host of the runs sees it: its functions and models, and its current calls. */
export class Page {
  readonly tools: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  readonly shows: (runId: string) => boolean
  readonly #post: (message: PageCall) => void
  readonly #calls: Calls<NewCall, FinalAnswer | undefined, ModelPart>

  constructor({ tools, models, post, shows }: PageOptions) {
    this.tools = new Set(tools)
    this.models = new Set(models)
    this.shows = shows
    this.#post = post
    this.#calls = new Calls(localHost.newId, (call, message) => post({ ...message, call } as PageCall))
  }

  /** The tool calls without an answer. */
  get openToolCalls(): readonly ToolCall[] {
    return this.#calls.openCalls.flatMap(([call, message]) => (message.type === 'tool' ? [{ ...message, call }] : []))
  }

  /** Calls a tool. Resolves with undefined if the page has closed: the call may already have run. */
  async callTool(call: Omit<ToolCall, 'call'>, signal: AbortSignal): Promise<ToolAnswer | undefined> {
    return (await this.#calls.sendCall(call, { signal, onAbort: this.#onAbort }).answer) as ToolAnswer | undefined
  }

  /** Calls a model. The answer is undefined if the page has closed. */
  callModel(
    call: Omit<ModelCall, 'call'>,
    options: { readonly signal: AbortSignal | undefined; readonly onPart: (part: ModelPart) => void },
  ): SentCall<Exclude<Answer, ModelPart> | undefined> {
    return this.#calls.sendCall(call, { ...options, onAbort: this.#onAbort })
  }

  /** Lets the page send more parts of a stream. */
  grantParts(call: string, parts: number): void {
    if (this.#calls.isOpen(call)) this.#post({ type: 'more', call, parts })
  }

  abortCall(call: string, reason: unknown): void {
    const error = toFailure(reason, 'stopped')
    if (this.#calls.resolveCall(call, { type: 'failed', call, error })) this.#post({ type: 'abort', call, error })
  }

  readonly #onAbort = (call: string, reason: unknown): void => this.abortCall(call, reason)

  /** Receives an answer. Returns true if the call was still open. */
  receiveAnswer(answer: Answer): boolean {
    if (answer.type !== 'began' && answer.type !== 'part') return this.#calls.resolveCall(answer.call, answer)
    this.#calls.receivePart(answer.call, answer)
    return true
  }

  /** Ends the calls of a page that has closed; their progress is unknown. */
  loseCalls(): void {
    for (const [call] of this.#calls.openCalls) this.#calls.resolveCall(call, undefined)
  }
}

/** Selects pages that can execute a tool of a run. A page that shows another run has another document. */
export const hasTool =
  (tool: string, runId: string) =>
  (page: Page): boolean =>
    page.tools.has(tool) && page.shows(runId)

/** The connected pages, the most recently used one first. */
export class PageRegistry {
  #pages: readonly Page[] = []
  readonly #waiting = new Set<() => void>()

  /** Adds a page, or moves it to the front. */
  addPage(page: Page): void {
    this.#pages = [page, ...this.#pages.filter((other) => other !== page)]
    for (const check of [...this.#waiting]) check()
  }

  /** Marks the page as the most recently used one. */
  markUsed(page: Page): void {
    if (this.#pages.includes(page)) this.addPage(page)
  }

  removePage(page: Page): void {
    this.#pages = this.#pages.filter((other) => other !== page)
  }

  findPage(fits: (page: Page) => boolean): Page | undefined {
    return this.#pages.find(fits)
  }

  /** Resolves with a page that fits, as soon as there is one; never after the signal aborts. */
  nextPage(fits: (page: Page) => boolean, signal: AbortSignal): Promise<Page> {
    return new Promise((resolve) => {
      const check = (): void => {
        const page = this.findPage(fits)
        if (!page) return
        this.#waiting.delete(check)
        resolve(page)
      }
      this.#waiting.add(check)
      signal.addEventListener('abort', () => this.#waiting.delete(check), { once: true })
      check()
    })
  }
}

/**
 * The pages of this worker or process. It is global, since page tools and models are declared before any host exists,
 * and child runs have no reference to a host.
 */
export const pageRegistry: PageRegistry = new PageRegistry()

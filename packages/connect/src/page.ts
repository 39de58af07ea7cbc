import { type Host, localHost } from '@interleave/core'
import { keptHere, toFailure } from '@interleave/core/internal'
import { Calls, type SentCall } from './calls.ts'
import type { Answer, PageCall } from './messages.ts'
import type { ModelAnswer, ModelCall, ModelPart } from './modelCalls.ts'
import { clientGraceMs, type ToolAnswer, type ToolCall } from './toolCalls.ts'

export interface PageOptions {
  readonly tools: readonly string[]
  readonly models: readonly string[]
  /** The models that have begun to answer before: they are loaded. */
  readonly begun?: readonly string[]
  readonly post: (message: PageCall) => void
  /** Returns true if the page shows this run, or an ancestor of it. */
  readonly shows: (runId: string) => boolean
  /**
   * Called if the page does not take a call in time: it is frozen, or out of reach. Without it, each call counts as
   * taken.
   */
  readonly onSilent?: () => void
  readonly host?: Pick<Host, 'timer'>
}

/** A call without an answer: the page did not take it, so it has not run; or has closed, so it may have. */
export type Unanswered = typeof untaken | undefined
const untaken = { type: 'untaken' } as const

type NewCall = Omit<ToolCall, 'call'> | Omit<ModelCall, 'call'>
type FinalAnswer = ToolAnswer | ModelAnswer

/** A page, as the host of the runs sees it: its functions and models, and its current calls. */
export class Page {
  readonly tools: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  readonly shows: (runId: string) => boolean
  readonly #post: (message: PageCall) => void
  readonly #calls: Calls<NewCall, FinalAnswer | undefined, ModelPart>
  readonly #onSilent: (() => void) | undefined
  readonly #host: Pick<Host, 'timer'>
  /** The functions that end the wait for the page, by call. */
  readonly #waits = new Map<string, () => void>()
  readonly #untaken = new Set<string>()
  readonly #modelRanks = new Map<string, number>()

  constructor({ tools, models, begun = [], post, shows, onSilent, host = localHost }: PageOptions) {
    this.#onSilent = onSilent
    this.#host = host
    this.tools = new Set(tools)
    this.models = new Set(models)
    for (const name of begun) this.noteModel(name, true)
    this.shows = shows
    this.#post = post
    this.#calls = new Calls(localHost.newId, (call, message) => post({ ...message, call } as PageCall))
  }

  /** The tool calls without an answer. */
  get openToolCalls(): readonly ToolCall[] {
    return this.#calls.openCalls.flatMap(([call, message]) => (message.type === 'tool' ? [{ ...message, call }] : []))
  }

  /** Calls a tool. The page takes the call before it runs it, in 15 seconds, or counts as silent. */
  async callTool(call: Omit<ToolCall, 'call'>, signal: AbortSignal): Promise<ToolAnswer | Unanswered> {
    const { id, answer } = this.#calls.sendCall(call, { signal, onAbort: this.#onAbort })
    if (this.#onSilent && this.#calls.isOpen(id)) {
      this.#untaken.add(id)
      this.#waitFor(id, clientGraceMs)
    }
    try {
      const given = (await answer) as ToolAnswer | undefined
      return given ?? (this.#untaken.has(id) ? untaken : undefined)
    } finally {
      this.#untaken.delete(id)
      this.#endWait(id)
    }
  }

  /**
   * Lets the page run a call. Returns false if nothing waits for it any more, so that it must not run. A page that has to
   * take it again within `againMs`, since nothing else shows that the page is alive, counts as silent otherwise.
   */
  takeCall(call: string, againMs?: number): boolean {
    if (!this.#calls.isOpen(call)) return false
    this.#untaken.delete(call)
    this.#endWait(call)
    if (againMs !== undefined) this.#waitFor(call, againMs)
    return true
  }

  #waitFor(call: string, ms: number): void {
    this.#waits.set(
      call,
      this.#host.timer(ms, () => this.#onSilent?.()),
    )
  }

  #endWait(call: string): void {
    this.#waits.get(call)?.()
    this.#waits.delete(call)
  }

  /** Calls a model. The answer is undefined if the page has closed. */
  callModel(
    call: Omit<ModelCall, 'call'>,
    options: { readonly signal: AbortSignal | undefined; readonly onPart: (part: ModelPart) => void },
  ): SentCall<FinalAnswer | undefined> {
    return this.#calls.sendCall(call, { ...options, onAbort: this.#onAbort })
  }

  /** Notes that a model of the page has begun to answer, or that a call ended before it did. */
  noteModel(name: string, hasBegun: boolean): void {
    const known = this.modelRank(name)
    modelNotes.count++
    if (hasBegun) this.#modelRanks.set(name, modelNotes.count)
    else if (known <= 0) this.#modelRanks.set(name, -modelNotes.count)
  }

  /** Returns a higher number for a page whose model has begun later, and one below 0 if it never has although it was called. */
  modelRank(name: string): number {
    return this.#modelRanks.get(name) ?? 0
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

  /** Ends the calls of a page that has closed; the progress of those that it took is unknown. */
  loseCalls(): void {
    for (const [call] of this.#calls.openCalls) this.#calls.resolveCall(call, undefined)
  }
}

/** Counts the notes about models, which come in the order of their numbers. */
const modelNotes = keptHere('model notes', () => ({ count: 0 }))

/** Selects pages that can execute a tool of a run. A page that shows another run has another document. */
export const hasTool =
  (tool: string, runId: string) =>
  (page: Page): boolean =>
    page.tools.has(tool) && page.shows(runId)

/** The connected pages, the most recently used one first. */
export class PageRegistry {
  #pages: readonly Page[] = []
  readonly #waiting = new Set<() => void>()

  /** Adds a page that shows a run, or moves it to the front. */
  addPage(page: Page): void {
    this.#setPages([page, ...this.#pages.filter((other) => other !== page)])
  }

  /** Adds a page behind those that were used: that it is open is no use of it. */
  joinPage(page: Page): void {
    this.#setPages([...this.#pages, page])
  }

  /** Marks a connected page as the most recently used one. */
  markUsed(page: Page): void {
    if (this.#pages.includes(page)) this.addPage(page)
  }

  #setPages(pages: readonly Page[]): void {
    this.#pages = pages
    for (const check of [...this.#waiting]) check()
  }

  removePage(page: Page): void {
    this.#pages = this.#pages.filter((other) => other !== page)
  }

  findPage(fits: (page: Page) => boolean): Page | undefined {
    return this.#pages.find(fits)
  }

  /** Returns the page whose model is ready: where it began last, or else the most recently used one that was not called in vain. */
  findModel(name: string): Page | undefined {
    const pages = this.#pages.filter(({ models }) => models.has(name))
    return pages.toSorted((one, other) => other.modelRank(name) - one.modelRank(name))[0]
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
 * Calls a tool in a page that has it, and in another one if that page does not take the call. Resolves with undefined if
 * the page has closed, so that the call may have run, or there is none.
 */
export async function callPage(
  call: Omit<ToolCall, 'call'>,
  signal: AbortSignal,
  leased?: Page,
): Promise<ToolAnswer | undefined> {
  const next = (): Page | undefined => pageRegistry.findPage(hasTool(call.name, call.runId))
  for (let page = leased ?? next(); page; page = next()) {
    const answer = await page.callTool(call, signal)
    if (answer?.type !== 'untaken') return answer
  }
  return undefined
}

/**
 * The pages of this worker or process. It is global, since page tools and models are declared before any host exists,
 * and child runs have no reference to a host. A hot reload of a server's module finds the pages that are connected.
 */
export const pageRegistry: PageRegistry = keptHere('page registry', () => new PageRegistry())

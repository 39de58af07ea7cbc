import {
  callPage,
  hasTool,
  isToolCall,
  pageRegistry,
  pause,
  type ToolAnswer,
  type ToolCall,
  type WantedCall,
  wantedPageOf,
} from '@interleave/connect/internal'
import { AgentError, type Event, type Host } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import { heartbeatMs } from './leasedPages.ts'
import type { CommandResult, SentCommand } from './sentCommand.ts'

/** A call that waits for a page, read from the log of its run or of a parent run. */
interface PageRequest extends WantedCall {
  /** The question to a user if no page is offered. */
  readonly ask: string
  /** The run whose page is wanted. */
  readonly runId: string
}

/** The change that an event makes to page offers. */
interface PageChange {
  readonly wanted?: PageRequest
  /** Returns true if this question is answered: no page is needed any more. */
  readonly isMet?: (ask: string) => boolean
  /** Returns true if a page's result for this call is no longer awaited. */
  readonly isOver?: (call: string) => boolean
}

const any = (): boolean => true
const none: PageChange = {}

export function pageChangeOf(run: string, event: Event): PageChange {
  switch (event.type) {
    case 'noted': {
      const { call: key, value } = event
      if (key === undefined || event.key !== wantedPageOf(key) || typeof value !== 'string') return none
      return wantedAgain({ call: `${run}/${key}`, tool: value, ask: askOf(key), runId: run })
    }
    case 'asked': {
      const { id, from } = event.ask
      const [, key, what] = /^(.*)\/(ask\/page|interruption)(?:~re\d+)?$/s.exec(id.slice(id.lastIndexOf('>') + 1)) ?? []
      const runId = from?.runId ?? run
      const call = `${runId}/${key}`
      if (what === 'interruption') return { isOver: (other) => other === call }
      const tool = event.ask.kind === 'choice' ? event.ask.pageFor : undefined
      return what === undefined || tool === undefined ? none : wantedAgain({ call, tool, ask: id, runId })
    }
    case 'withdrawn':
    case 'replied':
      return { isMet: (ask) => ask === event.ask }
    case 'claimed':
      return { isMet: (ask) => ask === askOf(event.call) }
    case 'observed': {
      const call = `${run}/${event.call}`
      return {
        isMet: (ask) => ask === askOf(event.call),
        isOver: (other) => other === call || other.startsWith(`${call}/`),
      }
    }
    case 'settled':
      return event.signal.type === 'inputNeeded' ? none : { isMet: any, isOver: any }
    default:
      return none
  }
}

const askOf = (key: string): string => `${key}/ask/page`
/** Returns the call for a new start; results of an earlier start are ignored. */
const wantedAgain = (wanted: PageRequest): PageChange => ({
  wanted,
  isMet: (ask) => ask === wanted.ask,
  isOver: (call) => call === wanted.call,
})

export interface PageOffersOptions {
  /** Sends a command to a run, without a time limit. */
  readonly ask: (run: string, asked: SentCommand) => Promise<CommandResult>
  /** Sends a heartbeat for a leased page. */
  readonly heartbeat: (run: string, lease: string) => Promise<unknown>
  readonly host: Pick<Host, 'newId' | 'timer'>
}

/** Milliseconds until a page that was not accepted is offered again, while a call waits for one. */
const again = { first: 1_000, most: 60_000 }

interface FollowedRun {
  /** The offers by question. Each is aborted when the call needs no page any more. */
  readonly offers: Map<string, AbortController>
  readonly calls: Set<OfferedCall>
}

/** Offers the pages of this process to the runs that it follows. A run records in its log that it waits for a page. */
export class PageOffers {
  readonly #options: PageOffersOptions
  readonly #runs = new Map<string, FollowedRun>()

  constructor(options: PageOffersOptions) {
    this.#options = options
  }

  /** Receives a durable event of a run. */
  receiveEvent(run: string, event: Event): void {
    const { wanted, isMet, isOver } = pageChangeOf(run, event)
    const { offers, calls } = this.#follow(run)
    for (const [question, controller] of [...offers]) {
      if (!isMet?.(question)) continue
      controller.abort()
      offers.delete(question)
    }
    for (const each of calls) if (isOver?.(each.call)) each.markOver(event.seq)
    if (!wanted) return
    const controller = new AbortController()
    offers.set(wanted.ask, controller)
    // Restate rejects it for good. The run then asks a user for a page.
    this.#offerPages(run, wanted, controller.signal).catch(() => {})
  }

  /** Ends the offers. Accepted calls are still executed. */
  leaveRun(run: string): void {
    for (const controller of this.#runs.get(run)?.offers.values() ?? []) controller.abort()
    this.#runs.delete(run)
  }

  #follow(run: string): FollowedRun {
    const followed = this.#runs.get(run) ?? { offers: new Map(), calls: new Set() }
    this.#runs.set(run, followed)
    return followed
  }

  async #offerPages(run: string, pageRequest: PageRequest, signal: AbortSignal): Promise<void> {
    // The next event may end the offer.
    await undefined
    for (let ms = again.first; !signal.aborted; ms = Math.min(2 * ms, again.most)) {
      await pageRegistry.nextPage(hasTool(pageRequest.tool, pageRequest.runId), signal)
      if ((await this.#offerPage(run, pageRequest)) !== false) return
      await pause(this.#options.host, ms, signal)
    }
  }

  /** Returns true if the offer was accepted; undefined if it never will be. */
  async #offerPage(run: string, { call, tool }: PageRequest): Promise<boolean | undefined> {
    const { ask, heartbeat, host } = this.#options
    const id = host.newId()
    const offered = new OfferedCall(call, {
      sendAnswer: (answer) =>
        ask(run, { id: host.newId(), command: { type: 'result', lease: id, ...(answer && { answer }) } }),
      heartbeat: () => heartbeat(run, id),
      host,
    })
    const { calls } = this.#follow(run)
    calls.add(offered)
    try {
      const result = await ask(run, { id, command: { type: 'lease', call, tool } })
      if ('failure' in result) return undefined
      const { toolCall, length } = result
      if (toolCall) await offered.execute(toolCall, length)
      return toolCall !== undefined
    } finally {
      calls.delete(offered)
    }
  }
}

interface OfferedCallOptions {
  /** Sends the result; undefined if the page was lost. */
  readonly sendAnswer: (answer?: ToolAnswer) => Promise<unknown>
  /** Sends a heartbeat while the call executes. */
  readonly heartbeat: () => Promise<unknown>
  readonly host: Pick<Host, 'timer'>
}

/** A call for which a page of this process is offered. */
class OfferedCall {
  readonly call: string
  readonly #options: OfferedCallOptions
  readonly #stopping = new AbortController()
  /** The position in the log of the event that ended the previous call. */
  #overAt = -1
  #startedAt = Number.POSITIVE_INFINITY

  constructor(call: string, options: OfferedCallOptions) {
    this.call = call
    this.#options = options
  }

  /** Marks calls that began before this event of the log as over: nothing awaits their results. */
  markOver(seq: number): void {
    this.#overAt = seq
    this.#stopIfOver()
  }

  /**
   * Executes the call in the page. `length` is that of the log when it began. The result is always sent, since the call
   * waits for it.
   */
  async execute(toolCall: ToolCall, length: number): Promise<void> {
    const { signal } = this.#stopping
    this.#startedAt = length
    this.#stopIfOver()
    if (signal.aborted) return
    const done = new AbortController()
    void this.#sendHeartbeats(done.signal)
    const answer = await callOwnPage(toolCall, signal)
      .catch((error: unknown) => failedAnswer(toolCall, error))
      .finally(() => done.abort())
    if (signal.aborted) return
    const { sendAnswer } = this.#options
    // It may be too large.
    await sendAnswer(answer).catch((error: unknown) => answer && sendAnswer(failedAnswer(answer, error)))
  }

  #stopIfOver(): void {
    if (this.#overAt < this.#startedAt) return
    this.#stopping.abort(new AgentError('stopped', 'Nothing waits for this call any more.'))
  }

  async #sendHeartbeats(over: AbortSignal): Promise<void> {
    const { host, heartbeat } = this.#options
    for (;;) {
      await pause(host, heartbeatMs, over)
      if (over.aborted) return
      // Without heartbeats, the page counts as lost.
      await heartbeat().catch(() => {})
    }
  }
}

const failedAnswer = ({ call }: Pick<ToolCall, 'call'>, error: unknown): ToolAnswer => ({
  ...{ type: 'failed', call },
  error: toFailure(error, 'tool_failed'),
})

/** Calls a page that has the tool. Resolves with undefined if there is none, or it is lost. */
async function callOwnPage(received: ToolCall, signal: AbortSignal): Promise<ToolAnswer | undefined> {
  if (!isToolCall(received)) return undefined
  const { call, ...toolCall } = received
  const answer = await callPage(toolCall, signal)
  return answer && { ...answer, call }
}

import {
  isToolCall,
  type Page,
  pageRegistry,
  type ToolAnswer,
  type ToolCall,
  type WantedCall,
  wantedPageOf,
} from '@interleave/connect/internal'
import { AgentError, type Event, type Host } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import type { Asked, Told } from './asked.ts'
import { beatMs } from './borrowPages.ts'
import { pause } from './within.ts'

/** A call that waits for a page, as the log of its run tells it, or that of a run above it. */
interface Wanting extends WantedCall {
  /** The question to a user if no page comes. */
  readonly ask: string
  /** The run whose page is wanted. */
  readonly runId: string
}

/** The meaning of an event for pages. */
interface PageNews {
  readonly wanted?: Wanting
  /** Returns true if this question is answered: no page is needed any more. */
  readonly isMet?: (ask: string) => boolean
  /** Returns true if a page's result for this call is useless by now. */
  readonly isOver?: (call: string) => boolean
}

const any = (): boolean => true
const none: PageNews = {}

export function pageNewsOf(run: string, event: Event): PageNews {
  switch (event.type) {
    case 'noted': {
      const { call: key, value } = event
      if (key === undefined || event.key !== wantedPageOf(key) || typeof value !== 'string') return none
      return anew({ call: `${run}/${key}`, tool: value, ask: askOf(key), runId: run })
    }
    case 'asked': {
      const { id, from } = event.ask
      const [, key, what] = /^(.*)\/(ask\/page|doubt)$/s.exec(id.slice(id.lastIndexOf('>') + 1)) ?? []
      const runId = from?.runId ?? run
      const call = `${runId}/${key}`
      if (what === 'doubt') return { isOver: (other) => other === call }
      const tool = event.ask.kind === 'choice' ? event.ask.pageFor : undefined
      return what === undefined || tool === undefined ? none : anew({ call, tool, ask: id, runId })
    }
    case 'withdrawn':
    case 'replied':
      return { isMet: (ask) => ask === event.ask }
    case 'called':
      return { isMet: (ask) => ask === askOf(event.call) }
    case 'observed': {
      const call = `${run}/${event.call}`
      return {
        isMet: (ask) => ask === askOf(event.call),
        isOver: (other) => other === call || other.startsWith(`${call}/`),
      }
    }
    case 'rested':
      return event.signal.type === 'inputNeeded' ? none : { isMet: any, isOver: any }
    default:
      return none
  }
}

const askOf = (key: string): string => `${key}/ask/page`
/** Starts the call again; results of an earlier start are ignored. */
const anew = (wanted: Wanting): PageNews => ({
  wanted,
  isMet: (ask) => ask === wanted.ask,
  isOver: (call) => call === wanted.call,
})

/** One call that a page of this process is offered for. */
interface LentCall {
  readonly call: string
  /** Marks the calls before this event of the log as no longer awaited. */
  over(seq: number): void
  /** Handles an accepted offer. The result is always sent back, since the call waits for it. */
  perform(taken: TakenOffer): Promise<void>
}

interface TakenOffer {
  readonly toolCall: ToolCall
  /** The length of the log when the call started. */
  readonly length: number
}

interface LentCallOptions {
  /** Tells what came of it; nothing if the page is gone. */
  readonly tell: (answer?: ToolAnswer) => Promise<unknown>
  /** Says that it is still being done. */
  readonly beat: () => Promise<unknown>
  readonly host: Pick<Host, 'timer'>
}

function createLentCall(call: string, { tell, beat, host }: LentCallOptions): LentCall {
  const stopping = new AbortController()
  let overAt = -1
  let since = Number.POSITIVE_INFINITY
  const stopIfOver = (): void => {
    if (overAt >= since) stopping.abort(new AgentError('stopped', 'Nobody waits for this call any more.'))
  }
  const tellAnswer = async (answer: ToolAnswer | undefined): Promise<void> => {
    try {
      await tell(answer)
    } catch (error) {
      // It may be too large.
      if (answer) await tell(failedAnswer(answer, error))
    }
  }
  return {
    call,
    over(seq) {
      overAt = seq
      stopIfOver()
    },
    async perform({ toolCall, length }) {
      since = length
      stopIfOver()
      const { signal } = stopping
      if (signal.aborted) return
      const done = isToolCall(toolCall)
        ? callPage(toolCall, signal).catch((error: unknown) => failedAnswer(toolCall, error))
        : Promise.resolve(undefined)
      void beatUntil(done, { beat, host })
      const answer = await done
      if (!signal.aborted) await tellAnswer(answer)
    },
  }
}

const failedAnswer = ({ call }: Pick<ToolCall, 'call'>, error: unknown): ToolAnswer => ({
  ...{ type: 'failed', call },
  error: toFailure(error, 'tool_failed'),
})

/** Calls the page that was used last, of those that have the tool. Resolves with nothing if there is none, or it goes away. */
async function callPage({ call, ...toolCall }: ToolCall, signal: AbortSignal): Promise<ToolAnswer | undefined> {
  const page = pageRegistry.findPage(performs({ tool: toolCall.name, runId: toolCall.runId }))
  const answer = await page?.callTool(toolCall, signal)
  return answer && { ...answer, call }
}

/** Pages that can do it, for this run. */
const performs =
  ({ tool, runId }: { readonly tool: string; readonly runId: string }) =>
  ({ tools, shows }: Page): boolean =>
    tools.has(tool) && shows(runId)

async function beatUntil(
  over: Promise<unknown>,
  { beat, host }: Pick<LentCallOptions, 'beat' | 'host'>,
): Promise<void> {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  over.then(end, end)
  for (;;) {
    await pause(beatMs, host)
    if (isOver) return
    // Who does not hear it takes the page for gone.
    await beat().catch(() => {})
  }
}

/** Lends the pages of this process to the runs that it follows, wherever those work. */
export interface Lending {
  /** Handles events of a run: its log says when it waits for a page. */
  hear(run: string, events: readonly (Event | LiveEvent)[]): void
  /** Ends the subscription. Accepted calls are still carried out. */
  leave(run: string): void
}

export interface LendingOptions {
  /** Asks a run for something, for as long as it takes. */
  readonly ask: (run: string, asked: Asked) => Promise<Told>
  /** Sends a heartbeat for a leased page. */
  readonly beat: (run: string, lent: string) => Promise<unknown>
  readonly host: Pick<Host, 'newId' | 'timer'>
}

/** Milliseconds until a page is offered again that was not taken, while the log says that one is wanted. */
const again = { first: 1_000, most: 60_000 }

interface Watched {
  /** By question. Aborted when no page is wanted any more. */
  readonly offers: Map<string, AbortController>
  readonly lent: Set<LentCall>
}

/**
 * Offers pages to runs. A run that waits for a page says so in its log. Each process that follows the run offers one as
 * soon as it has one, and the first gets the call when it starts. So processes need not know each other, and a run that
 * needs no page receives no offers.
 */
export function lendPages({ ask, beat, host }: LendingOptions): Lending {
  const runs = new Map<string, Watched>()
  const watched = (run: string): Watched => {
    const known = runs.get(run) ?? { offers: new Map(), lent: new Set() }
    runs.set(run, known)
    return known
  }

  /** Returns true if the offer was accepted; undefined if it never will be. */
  const offerOnce = async (run: string, { call, tool }: Wanting): Promise<boolean | undefined> => {
    const id = host.newId()
    const lent = createLentCall(call, {
      tell: (answer) =>
        ask(run, { id: host.newId(), command: { type: 'performed', lent: id, ...(answer && { answer }) } }),
      beat: () => beat(run, id),
      host,
    })
    const all = watched(run).lent
    all.add(lent)
    try {
      const told = await ask(run, { id, command: { type: 'lend', call, tool } })
      if ('failure' in told) return undefined
      const { toolCall, length } = told
      if (toolCall) await lent.perform({ toolCall, length })
      return toolCall !== undefined
    } finally {
      all.delete(lent)
    }
  }
  const offer = async (run: string, wanting: Wanting, signal: AbortSignal): Promise<void> => {
    // The next event may say that it is over.
    await undefined
    for (let ms = again.first; !signal.aborted; ms = Math.min(2 * ms, again.most)) {
      await pageRegistry.nextPage(performs(wanting), signal)
      if ((await offerOnce(run, wanting)) !== false) return
      await pause(ms, host)
    }
  }
  const hearOne = (run: string, event: Event): void => {
    const { wanted, isMet, isOver } = pageNewsOf(run, event)
    const { offers, lent } = watched(run)
    for (const [question, controller] of [...offers]) {
      if (!isMet?.(question)) continue
      controller.abort()
      offers.delete(question)
    }
    for (const each of lent) if (isOver?.(each.call)) each.over(event.seq)
    if (!wanted) return
    const controller = new AbortController()
    offers.set(wanted.ask, controller)
    // Restate refuses it for good. A person is asked for a page then.
    offer(run, wanted, controller.signal).catch(() => {})
  }
  return {
    hear(run, events) {
      for (const event of events) if ('seq' in event) hearOne(run, event)
    },
    leave(run) {
      for (const controller of runs.get(run)?.offers.values() ?? []) controller.abort()
      runs.delete(run)
    },
  }
}

import { acrossTabs, type RemoteRun } from '@interleave/connect/tabs'
import { agent, isAgentError, reasonAct } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { answerTruly } from './answerTruly.ts'
import { askingTools } from './askingTools.ts'
import { openJournal } from './openJournal.ts'
import { message, shopModel, shopper } from './shopper.ts'
import { storyModel } from './storyModel.ts'

/** The place where the run executes, its first event since then, and its end. */
export type Told = NonNullable<RemoteRun['owner']> | 'event' | 'end'

declare global {
  /** Reports to the test; set from outside of the page. */
  var tell: (what: Told, at: number) => Promise<void>
  /** The actions of the test in this tab. */
  var tab: ReturnType<typeof createTab>
}

const id = 'run'
const search = new URLSearchParams(location.search)
const kind = search.get('kind') ?? 'buys'
const kept = openJournal()
let blockMs = 0
const journal: Journal = {
  ...kept,
  async append(...written) {
    await kept.append(...written)
    if (blockMs > 0 && written[1].some((event) => event.type === 'claimed' && isBooking(event.call))) block(blockMs)
  },
}
const buyer = acrossTabs(
  kind === 'buys'
    ? shopper
    : agent({
        name: 'buyer',
        // More than any run of the shop has.
        backend: reasonAct({ limits: { iterations: 40 } }),
        model: kind === 'tells' ? storyModel : shopModel,
        ...(kind === 'asks' && { tools: askingTools }),
      }),
  { journal, takeoverAfterMs: Number(search.get('takeoverAfterMs') ?? 4_000) },
)

/** Such a call may not be begun twice. */
const isBooking = (call: string): boolean =>
  globalThis.tab.run.state.history
    .flat()
    .some((entry) => entry.type === 'turn' && entry.calls.some(({ key, name }) => key === call && name === 'book'))

function block(ms: number): void {
  blockMs = 0
  for (const end = Date.now() + ms; Date.now() < end; );
}

/** Opens the run. Of several tabs that open it at once, one starts it. */
const open = (): Promise<RemoteRun<string>> =>
  navigator.locks.request('open', async () => {
    try {
      return await buyer.resume(id)
    } catch (error) {
      if (!isAgentError(error) || error.code !== 'run_unknown') throw error
    }
    const run = buyer.start(message, { id })
    while ((await journal.read(id)).length === 0) await pause(5)
    return run
  })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function createTab(first: RemoteRun<string>) {
  let run = first
  const watch = (): void => {
    void tell(run.owner ?? 'nobody', Date.now())
    let isNew = run.owner === 'here'
    run.subscribe((event) => {
      if (event.type === 'owned') {
        void tell(event.by, Date.now())
        isNew = event.by === 'here'
      } else if (isNew && 'seq' in event) {
        isNew = false
        void tell('event', Date.now())
      }
      if (event.type === 'settled' && event.signal.type === 'answer') void tell('end', Date.now())
    })
    if (kind === 'buys') answerTruly(run, Number(search.get('afterMs') ?? 0))
  }
  watch()
  return {
    get run() {
      return run
    },
    /** Lets go of the run, and opens it again. Gives when that was. */
    async leave() {
      run.close()
      const at = Date.now()
      run = await open()
      watch()
      return at
    },
    /** The text of the streaming turn. */
    get text() {
      return run.state.draft?.text ?? ''
    },
    /** Blocks this page when the next booking is written down, and before it begins. */
    blockInCall(ms: number) {
      blockMs = ms
    },
    /** Answers a question at a time on the clock. Gives why that was refused. */
    async reply(ask: string, { value, at }: { readonly value: unknown; readonly at: number }) {
      block(at - Date.now())
      try {
        await run.reply(ask, value)
        return 'taken'
      } catch (error) {
        return isAgentError(error) ? error.code : String(error)
      }
    },
    /** Returns the view of this tab when the run has its answer, and the log of the journal. */
    async end() {
      for (;;) {
        const { type } = await run.settled
        const log = await journal.read(id)
        if (type === 'answer' && log.length === run.state.seq) return { log, state: run.state }
        await pause(20)
      }
    },
  }
}

globalThis.tab = createTab(await open())

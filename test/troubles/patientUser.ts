import { type Event, isAgentError } from '@interleave/core'
import { asksAboutCall, type ChaosPlace } from '@interleave/test-kit/chaos/chaos'
import type { ShopPage, Shown } from './shopPage.ts'
import type { Trouble } from './trouble.ts'

export interface Facing {
  readonly pages: readonly ShopPage[]
  readonly random: () => number
  /** The trouble of the moment, and since when it is there. */
  trouble(): { readonly trouble: Trouble; readonly since: number } | undefined
  /** The milliseconds for which there was none. */
  calmMs(): number
  /** Milliseconds without progress and without trouble after which the user loads the page anew. */
  readonly reloadAfterMs: number
}

/** A user who knows only what pages show, and does what they offer. */
export interface PatientUser extends Omit<ChaosPlace, 'kill'> {
  /** Pages that should have shown a trouble and did not, and messages that arrived twice or never. */
  faults(): readonly string[]
  /** The first messages of the runs, by their ids. */
  readonly messages: ReadonlyMap<string, string>
  readonly counts: {
    retries: number
    messages: number
    /** The longest time without a trouble in which a run that worked showed nothing new. */
    longestMs: number
  }
  /** Why pages were loaded anew. */
  readonly reloads: readonly string[]
}

/** The milliseconds after a trouble in which what is on its way arrives. */
export const lookMs = 1_500

interface Saying {
  readonly text: string
  state: 'sending' | 'sent' | 'refused'
}

interface Watched {
  readonly message: string
  length: number
  /** When the page last showed something new. */
  since: number
  saying?: Saying
  lastRetry: number
}

export function patientUser({ pages, random, trouble, calmMs, reloadAfterMs }: Facing): PatientUser {
  const watched = new Map<string, Watched>()
  const unseen = new Set<string>()
  const logs = new Map<string, readonly Event[]>()
  const counts = { retries: 0, messages: 0, longestMs: 0 }
  const reloads: string[] = []
  const [first, ...others] = pages
  const anyPage = (): ShopPage => pages[Math.floor(random() * pages.length)] as ShopPage
  let [reloadedAt, troubledAt] = [0, 0]

  /** Does what the page offers when a run has come to a halt. */
  const mend = async (id: string, run: Watched, shown: Shown | undefined): Promise<void> => {
    const now = performance.now()
    const isHalted = shown?.signal?.type === 'failed' || shown?.signal?.type === 'stopped'
    if (isHalted && now - run.lastRetry > 1_000) {
      run.lastRetry = now
      counts.retries++
      await anyPage().retry(id)
    }
    if (shown?.signal?.type === 'answer') return
    if (trouble()) troubledAt = now
    const quietMs = now - Math.max(run.since, reloadedAt, troubledAt)
    if (!shown?.signal) counts.longestMs = Math.max(counts.longestMs, Math.round(quietMs))
    if (quietMs < reloadAfterMs) return
    reloadedAt = now
    reloads.push(`${id} shows ${describe(shown)}`)
    await Promise.all(pages.map((page) => page.reload()))
  }
  /** Says something once, in the middle of the run. */
  const speak = (id: string, run: Watched, { log, signal: rest }: Shown): void => {
    if (run.saying || rest || log.length < 6 || random() > 0.2) return
    const saying: Saying = { text: `Is ${id} under way?`, state: 'sending' }
    run.saying = saying
    counts.messages++
    const page = anyPage()
    page.say(id, saying.text).then(
      async () => {
        saying.state = 'sent'
        // The page may be loaded anew at this moment.
        const shown = await page.show(id).catch(() => undefined)
        if (shown && saysIn(shown.log, saying) === 0)
          unseen.add(`early: "${saying.text}" was confirmed before it was shown`)
      },
      (error: unknown) => {
        saying.state = 'refused'
        // Only the server itself may refuse a message, and not what is in front of it.
        if (isAgentError(error) && error.code === 'remote_failed')
          unseen.add(`refused: "${saying.text}": ${error.message}`)
      },
    )
  }
  const look = (id: string, run: Watched, shown: Shown | undefined): void => {
    const now = performance.now()
    if (shown && shown.log.length !== run.length) Object.assign(run, { length: shown.log.length, since: now })
    const current = trouble()
    const { seenMs } = current?.trouble ?? {}
    // A page that still opens a run shows that it does.
    if (!current || seenMs === undefined || !shown || shown.trouble !== undefined) return
    if (now - Math.max(run.since, current.since) > seenMs)
      unseen.add(`unseen: "${current.trouble.name}" where ${id} shows ${describe(shown)}`)
  }
  return {
    counts,
    reloads,
    get messages() {
      return new Map([...watched].map(([id, { message }]) => [id, message]))
    },
    async start(id, message) {
      if (!watched.has(id)) watched.set(id, { message, length: 0, since: performance.now(), lastRetry: 0 })
      await first?.open(id, message)
    },
    async reply(id, ask, value) {
      // What a trouble holds back may still happen: only then the ledger says what has.
      if (asksAboutCall(ask) && calmMs() < lookMs) return
      await anyPage().reply(id, ask, value)
    },
    async read(id) {
      const run = watched.get(id)
      if (!run) return []
      const shown = await first?.show(id)
      look(id, run, shown)
      await mend(id, run, shown)
      if (!shown) return []
      if (shown.log.length > 0) await Promise.all(others.map((page) => page.open(id, run.message)))
      speak(id, run, shown)
      logs.set(id, shown.log)
      // Whoever has said something waits for its answer.
      return isUnderWay(run, shown.log) && shown.log.at(-1)?.type === 'settled' ? shown.log.slice(0, -1) : shown.log
    },
    faults: () => [...unseen, ...[...watched].flatMap(([id, run]) => faultsOfMessage(run, logs.get(id) ?? []))],
  }
}

const saysIn = (log: readonly Event[], { text }: Saying): number =>
  log.filter((event) => event.type === 'said' && JSON.stringify(event).includes(text)).length

const isUnderWay = ({ saying }: Watched, log: readonly Event[]): boolean =>
  saying !== undefined && saying.state !== 'refused' && (saying.state === 'sending' || saysIn(log, saying) === 0)

function faultsOfMessage({ saying }: Watched, log: readonly Event[]): readonly string[] {
  if (!saying) return []
  const times = saysIn(log, saying)
  if (times > 1) return [`said ${times} times: ${saying.text}`]
  return times === 0 && saying.state !== 'refused' ? [`lost message: ${saying.text}`] : []
}

const describe = (shown: Shown | undefined): string =>
  shown
    ? `${shown.log.length} events, ${shown.trouble ?? 'no trouble'}, ${JSON.stringify(shown.log.at(-1))}`
    : 'nothing'

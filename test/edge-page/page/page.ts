import { remoteAgent } from '@interleave/connect/http'
import type { Event, Json } from '@interleave/core'
import type { ConnectionState } from '@interleave/core/internal'
import { exportRun } from '@interleave/core/journal'
import { writtenText } from '../writtenText.ts'

/** The view of the page, for a test outside of it. */
export interface Shown {
  readonly runId: string
  readonly seq: number
  readonly draft: string
  readonly signal: string | undefined
  readonly asks: readonly string[]
  /** Words out of order, and words that were not written. */
  readonly faults: readonly string[]
  readonly connections: readonly ConnectionState['type'][]
}

declare global {
  var shown: () => Shown
  var log: () => Promise<readonly Event[]>
  /** No longer says more whenever the run rests. Resolves when what it said is in the log. */
  var stopSaying: () => Promise<void>
  /** Says something, and tells what came of it. */
  var say: (text: string) => Promise<void>
  /** Answers the open question; whether that counted. */
  var reply: (value: Json) => Promise<boolean>
}

const faults: string[] = []
const connections: ConnectionState['type'][] = []
const name = new URLSearchParams(location.search).get('agent') ?? 'writer'
const agent = remoteAgent({
  url: '/api',
  name,
  headers: { authorization: 'ada' },
  onConnection: (_, { type }) => connections.push(type),
})
const known = location.hash.slice(1)
let isSaying = name === 'writer'
let saying: Promise<void> = Promise.resolve()

const run = known ? await agent.resume(known) : agent.start('Begin')
history.replaceState(null, '', `#${run.id}`)
let next = run.state.seq
lookAtDraft()
run.subscribe((event) => {
  if (event.type === 'rewound') next = Math.min(next, event.to)
  if ('seq' in event) {
    if (event.seq !== next) faults.push(`${event.type} ${event.seq} in place of ${next}`)
    next = event.seq + 1
  }
  lookAtDraft()
  if (event.type === 'settled') more()
})
more()

/** Checks that the page's draft is always a beginning of the written text. */
function lookAtDraft(): void {
  const { draft, iteration } = run.state
  if (!draft?.text) return
  if (!writtenText(iteration).startsWith(draft.text)) faults.push(`turn ${iteration} has “${draft.text.slice(-60)}”`)
}

function more(): void {
  if (!isSaying || !run.state.signal) return
  saying = run.say('More').catch((error: Error) => void faults.push(error.message))
}

globalThis.shown = () => ({
  runId: run.id,
  seq: run.state.seq,
  draft: run.state.draft?.text ?? '',
  signal: run.state.signal?.type,
  asks: run.state.asks.map(({ id }) => id),
  faults,
  connections,
})
globalThis.log = async () => (await exportRun(run)).events
globalThis.stopSaying = () => {
  isSaying = false
  return saying
}
globalThis.say = (text) => run.say(text)
globalThis.reply = async (value) => {
  const [ask] = run.state.asks
  if (!ask) return false
  return run.reply(ask, value).then(
    () => true,
    () => false,
  )
}

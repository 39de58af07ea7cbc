import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Run } from '@interleave/core'
import { restateAgent } from '@interleave/restate'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { interruptedCall } from '@interleave/test-kit/interruptedCall'
import { afterEach, expect, it } from 'vitest'
import { kill } from '../processes/kill.ts'
import { needsRestate } from './needsRestate.ts'
import { openLedger } from './openLedger.ts'
import { openTrial } from './openTrial.ts'
import { startPages } from './startPages.ts'
import { restateBinary, startRestate } from './startRestate.ts'

/** RESTATE_PAGE_RUNS and RESTATE_PAGE_KILLS take other numbers, RESTATE_PAGE_MODE=fetch another way, RESTATE_SEED the same again. */
const { RESTATE_PAGE_RUNS = '4', RESTATE_PAGE_KILLS = '3', RESTATE_SEED = `${Date.now() % 1_000}` } = process.env
const mode = process.env.RESTATE_PAGE_MODE === 'fetch' ? 'fetch' : 'http2'
const [runs, kills, seed] = [Number(RESTATE_PAGE_RUNS), Number(RESTATE_PAGE_KILLS), Number(RESTATE_SEED)]

needsRestate()

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function begin() {
  const ledger = await openLedger({ seed, ms: 150 })
  closing.push(ledger.close)
  const server = startRestate({ RESTATE_DEFAULT_NUM_PARTITIONS: '4' })
  const trial = await openTrial({ server, seed, mode, isQuick: true })
  closing.push(trial.close)
  const { ingress } = trial.server
  const drawer = restateAgent({ agent: 'drawer', ingress })
  const shown = Array.from({ length: runs }, () => drawer.start('Go'))
  closing.push(() => shown.map((run) => run.close()))
  // The pages that show them find them then.
  while (shown.some(({ state }) => state.seq === 0)) await pause(10)
  const open = async (): Promise<ChildProcess> => {
    const pages = await startPages({ INGRESS: ingress, LEDGER: ledger.url })
    closing.push(() => kill(pages))
    // A test that ends early ends them, too.
    for (const { id } of shown) if (pages.connected) pages.send(id)
    return pages
  }
  return { ledger, crew: trial.crew, shown, open }
}

/** Answers each question whether a call ran from the ledger alone, a little later. */
async function answerAll(run: Run, lines: readonly string[]): Promise<number> {
  for (let interruptions = 0; ; ) {
    const { type } = await run.settled
    if (type !== 'inputNeeded') return interruptions
    const ask = run.state.asks.find(({ about }) => about === 'interruption')
    if (ask) {
      interruptions++
      // A deed that was about to start when the question was asked is done by then.
      await pause(700)
      const line = `stamp ${run.id}/${interruptedCall(ask)}`
      await run.reply(ask.id, lines.includes(line) ? 'done' : 'again').catch(() => {})
    } else await pause(20)
  }
}

it.runIf(restateBinary)(
  'loses no call of pages and doubles none that may not happen twice, the one who dies',
  async () => {
    const random = createRandom(seed)
    const { ledger, crew, shown, open } = await begin()
    const answered = Promise.all(shown.map((run) => answerAll(run, ledger.lines)))
    const pages = [open(), open()]
    await Promise.all(pages)
    for (let round = 0; round < kills; round++) {
      const before = ledger.lines.length
      const isOver = (): boolean => shown.every(({ state }) => state.signal?.type === 'answer')
      while (ledger.lines.length < before + runs / 2 && !isOver()) await pause(10)
      await pause(random() * 150)
      const [dying] = round % 3 === 2 ? [] : pages.splice(0, 1)
      if (dying) pages.push(open())
      await (dying ? kill(await dying) : crew.kill())
    }
    await Promise.all(pages)
    const interruptions = (await answered).reduce((sum, each) => sum + each, 0)
    const { lines } = ledger
    const calls = shown.flatMap(({ id }) => [1, 2, 3].map((turn) => `${id}/${turn}/tool`))
    console.info(
      `Pages, RESTATE_SEED=${seed}: ${JSON.stringify({ runs, kills, interruptions: interruptions, lines: lines.length })}`,
    )

    expect(shown.map(({ state }) => state.signal)).toEqual(
      shown.map(() => expect.objectContaining({ output: 'Done.' })),
    )
    expect(lines.filter((line) => line.startsWith('stamp')).sort()).toEqual(
      calls.map((call) => `stamp ${call}/0`).sort(),
    )
    expect([...new Set(lines.filter((line) => line.startsWith('draw')))].sort()).toEqual(
      calls.map((call) => `draw ${call}/1`).sort(),
    )
  },
  400_000,
)

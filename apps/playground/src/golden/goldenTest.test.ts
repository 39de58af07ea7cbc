import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Event, Run } from '@interleave/core'
import { afterAll, expect, it } from 'vitest'
import { agents } from '../agents/index.ts'
import { lockedModel } from '../models/index.ts'
import { createPlayground } from '../run/createPlayground.ts'
import { shownIn } from '../run/PlaygroundState.ts'
import { goldenTest } from './goldenTest.ts'
import { replayHere } from './replayHere.ts'

/** Beside this file, where a project would have them: their imports are found as those of any test. */
const folder = path.join(import.meta.dirname, `.exported-${process.pid}`)
mkdirSync(folder, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function logOf(id: string, text: string, answer: (run: Run) => unknown = () => {}): Promise<readonly Event[]> {
  const { store, start } = createPlayground()
  const offer = agents.find((each) => each.id === id)
  if (!offer) throw new Error(`There is no agent "${id}".`)
  await start(offer, text)
  const conversation = shownIn(store.getState())
  if (!conversation) throw new Error(String(store.getState().trouble?.error))
  const { run, log } = conversation
  for (let settledCount = 0; settledCount < 6; settledCount++) {
    if ((await run.settled).type !== 'inputNeeded') break
    await answer(run)
  }
  return log.events
}

async function answerAll(run: Run): Promise<void> {
  for (const ask of run.state.asks) {
    if (ask.kind === 'choice') await run.reply(ask, ask.options[0]?.value ?? '')
    else if (ask.kind === 'approval') await run.reply(ask, { approved: true })
    else await run.reply(ask.id, 'Berlin')
  }
}

const [calculated = [], asked = [], booked = []] = await Promise.all([
  logOf('calculator', 'What is 15% of 84.50?'),
  logOf('trip', 'I need a flight to Rome', answerAll),
  logOf('trip', 'Find a train from Paris to Amsterdam and book it', answerAll),
])
const slow = calculated.flatMap((event): Event[] => {
  if (event.type !== 'thought') return [event]
  const { seq, at, iteration } = event
  return [{ type: 'drafted', text: '15% of', reasoning: '', seq, at, iteration }, event]
})
const stopped = calculated.map((event) =>
  event.type === 'settled' ? { ...event, signal: { type: 'stopped', reason: 'Enough.' } as const } : event,
)
const exported = [
  goldenTest(calculated, { title: 'calculates a tip' }),
  goldenTest(asked, { title: 'asks where from' }),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is to stay as it is.
  goldenTest(booked, { title: 'books `after` an ${approval}' }),
  goldenTest(slow, { title: 'takes its time' }),
  goldenTest(stopped, { title: 'is stopped' }),
  goldenTest(booked.slice(0, booked.findLastIndex(({ type }) => type === 'replied') + 1), { title: 'works still' }),
]
// Each is a test of its own, and runs with those of this file.
for (const { files } of exported) {
  for (const { name, text } of files) writeFileSync(path.join(folder, name), text)
  await import(/* @vite-ignore */ path.join(folder, files[0]?.name ?? ''))
}

it('runs an agent again where its log tells all that it did, and replays it otherwise', () => {
  expect(exported.map(({ kind, files }) => [kind, files.map(({ name }) => name)])).toEqual([
    ['rerun', ['calculates-a-tip.test.ts']],
    ['rerun', ['asks-where-from.test.ts']],
    ['rerun', ['books-after-an-approval.test.ts']],
    ['rerun', ['takes-its-time.test.ts']],
    ['replay', ['is-stopped.test.ts', 'is-stopped.run.json']],
    ['replay', ['works-still.test.ts', 'works-still.run.json']],
  ])
  expect(exported.slice(-2).map(({ why }) => why)).toEqual(['it ended with the signal stopped', 'it has not finished'])
})

it.each([
  ['calculator', calculated],
  ['trip', asked],
  ['trip', booked],
] as const)(
  'replays a run of %s with its agent in the page, and says where an edited one differs',
  async (id, events) => {
    const { run } = goldenTest(events, { title: 'a run' })
    const { file = '' } = agents.find((offer) => offer.id === id) ?? {}
    const runModel = { model: lockedModel({ type: 'demo' }), priceOf: () => undefined, change: async () => {} }
    const given = { log: { events } as never, runModel, signal: new AbortController().signal }

    const same = await replayHere(run, { ...given, agentFile: file })
    const edited = await replayHere(run, { ...given, agentFile: file.replace(/tools: \[[^\]]*\]/, 'tools: [askUser]') })

    expect(same).toMatchObject({ isSame: true, compared: events.filter(({ type }) => type !== 'drafted').length })
    expect(edited.difference?.message).toMatch(
      /^At event \d+, in turn \d, the recorded run .*; the replay .*There is no tool/,
    )
  },
)

it('leaves secrets out of the test and of the run', () => {
  const secret = `sk-${'a1B2'.repeat(12)}`
  const { files, runFile } = goldenTest(JSON.parse(JSON.stringify(calculated).replaceAll('84.50', secret)), {
    title: 'a',
  })

  expect(`${files[0]?.text}${runFile.text}`).not.toContain(secret)
})

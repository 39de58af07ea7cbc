import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Event, Run } from '@interleave/core'
import { afterAll, expect, it } from 'vitest'
import { agents } from '../agents/index.ts'
import { createPlayground } from '../run/createPlayground.ts'
import { shownIn } from '../run/PlaygroundState.ts'
import { goldenTest } from './goldenTest.ts'

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
  if (!conversation) throw new Error(String(store.getState().trouble))
  const { run, log } = conversation
  for (let rests = 0; rests < 6; rests++) {
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
  event.type === 'rested' ? { ...event, signal: { type: 'stopped', reason: 'Enough.' } as const } : event,
)
const exported = [
  goldenTest(calculated, { title: 'calculates a tip' }),
  goldenTest(asked, { title: 'asks where from' }),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is to stay as it is.
  goldenTest(booked, { title: 'books `after` an ${approval}' }),
  goldenTest(slow, { title: 'takes its time' }),
  goldenTest(stopped, { title: 'is stopped' }),
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
  ])
  expect(exported.at(-1)?.why).toBe('it rested as stopped')
})

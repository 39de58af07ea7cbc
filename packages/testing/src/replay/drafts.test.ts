import { agent, tool } from '@interleave/core'
import { exportRun, memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { replayRun } from './replayRun.ts'

const long = (word: string): string => `${word} `.repeat(1_000)
const look = tool({ inputSchema: z.object({}), execute: () => 'Seen.' })

/** A run whose turns are long enough for a draft. */
async function drafted(...more: readonly string[]) {
  const turns = [{ text: long('Looking'), calls: [{ name: 'look', input: {} }] }, long('Done'), ...more]
  const described = () => agent({ name: 'a', model: scriptedModel(...turns), tools: { look } })
  const run = described().start('Go', { journal: memoryJournal() })
  await run.settled
  return { described, run }
}

it('replays a run whose turns were drafted, also over two messages', async () => {
  const { described, run } = await drafted(long('More'))
  await run.say('And more')
  await run.settled
  const file = JSON.parse(JSON.stringify(await exportRun(run)))

  expect(run.log.filter(({ type }) => type === 'drafted').length).toBeGreaterThan(2)
  expect((await replayRun(file, { agent: described() })).difference).toBeUndefined()
  expect((await replayRun(file)).difference).toBeUndefined()
})

it('replays a turn that a crash cut off after its draft', async () => {
  const { run: first } = await drafted()
  const journal = memoryJournal()
  const { log } = first
  await journal.append(first.id, log.slice(0, log.findIndex(({ type }) => type === 'drafted') + 1))
  const described = () =>
    agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.'), tools: { look } })
  const run = await described().resume(first.id, { journal })
  await run.settled
  const file = JSON.parse(JSON.stringify(await exportRun(run)))

  expect(run.log.map(({ type }) => type)).toContain('drafted')
  expect((await replayRun(file, { agent: described() })).difference).toBeUndefined()
})

import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { toolSource } from '@interleave/core/tools'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { pageRegistry } from '../page.ts'
import { clientTool, pageAgent } from './index.ts'

const mark = clientTool({ inputSchema: z.object({}), effect: 'idempotent' })
const calls = [{ name: 'mark', input: {} }]
/** An agent of this page, whose runs call its function in each turn of the user's. */
const marking = (until?: Promise<void>) => {
  let marks = 0
  const model = scriptedModel({ calls }, 'Done.', () => Promise.resolve(until).then(() => ({ calls })), 'Again.')
  const described = agent({ name: 'a', model, tools: { mark } })
  const guide = pageAgent(described, { tools: { mark: () => ++marks } as never })
  return { guide, marks: () => marks }
}
const isThere = (runId: string): boolean => pageRegistry.findPage((page) => page.shows(runId)) !== undefined

it('serves a run for as long as that may call it, and again when it continues', async () => {
  const { guide, marks } = marking()
  const run = guide.start('Go')
  const whileItWorks = isThere(run.id)
  await run.settled
  const afterwards = isThere(run.id)

  await run.say('Again')
  await run.settled

  expect([whileItWorks, afterwards, isThere(run.id), marks()]).toEqual([true, false, false, 2])
})

it('is there for a run that is over in another object of it', async () => {
  const journal = memoryJournal()
  let proceed = (): void => {}
  const { guide, marks } = marking(
    new Promise((resolve) => {
      proceed = resolve
    }),
  )
  const before = guide.start('Go', { journal })
  await before.settled
  const run = await guide.resume(before.id, { journal })
  await run.say('Again')

  await expect(before.say('Late')).rejects.toMatchObject({ code: 'journal_conflict' })
  await before.settled
  proceed()
  await run.settled

  expect([before.state.signal?.type, marks()]).toEqual(['failed', 2])
})

it('is not there for a run that could not be resumed', async () => {
  const { guide } = marking()

  await expect(guide.resume('none', { journal: memoryJournal() })).rejects.toMatchObject({ code: 'run_unknown' })

  expect(isThere('none')).toBe(false)
})

it('has the tools of a source once they are read', async () => {
  const tools = toolSource({ current: () => ({ mark }) })
  const described = agent({ name: 'a', model: scriptedModel({ calls }, 'Done.'), tools })
  const guide = pageAgent(described, { tools: { mark: () => 'marked' } as never })
  const before = Object.keys(guide.tools)

  expect(await guide.start('Go').settled).toMatchObject({ output: 'Done.' })
  expect([before, Object.keys(guide.tools)]).toEqual([[], ['mark']])
})

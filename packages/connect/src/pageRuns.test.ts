import type { Event } from '@interleave/core'
import { expect, it } from 'vitest'
import { createPageRuns } from './pageRuns.ts'
import type { NewRequest } from './requests.ts'

const started: Event = { seq: 0, at: 1, iteration: 0, type: 'started', runId: 'r', agent: 'a', version: '1' }
const broken = { seq: 7, at: 1, iteration: 0, type: 'unheard of' }

/** Runs of a page, whose worker does whatever it is asked for. */
function setUp() {
  const asked: string[] = []
  const send = async ({ type }: NewRequest) => {
    asked.push(type)
    return 2
  }
  const runs = createPageRuns({
    agent: 'a',
    host: { now: () => 7, newId: () => 'id' },
    requests: { send, rejectOf: () => void asked.push('reject') },
  })
  return { asked, runs }
}

it('lets go of a run of which it was told what cannot be, and opens it anew', async () => {
  const { asked, runs } = setUp()
  const run = runs.start('Go', { id: 'r' })
  const said = run.say('More')

  runs.tell('r', [started, broken])
  runs.tell('r', [started])
  const opening = runs.open('r')
  await new Promise((resolve) => setTimeout(resolve))
  runs.tell('r', [started, { seq: 1, at: 1, iteration: 0, type: 'resumed' }])

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'log_invalid' } })
  expect(run.state.seq).toBe(2)
  await said
  const again = await opening
  expect([again === run, again.state.rest]).toEqual([false, undefined])
  expect(asked).toEqual(['start', 'command', 'leave', 'attach'])
})

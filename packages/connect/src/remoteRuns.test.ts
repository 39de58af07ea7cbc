import type { Event } from '@interleave/core'
import { exportRun } from '@interleave/core/journal'
import { expect, it } from 'vitest'
import type { Request } from './remoteRuns.ts'
import { RemoteRuns } from './remoteRuns.ts'

const started: Event = { seq: 0, at: 1, iteration: 0, type: 'started', runId: 'r', agent: 'a', version: '1' }
const broken = { seq: 7, at: 1, iteration: 0, type: 'unheard of' }

/** Runs of a page, whose worker does whatever it is asked for. */
function setUp() {
  const asked: string[] = []
  const sendRequest = async ({ type }: Request) => {
    asked.push(type)
    return 2
  }
  let ids = 0
  const runs = new RemoteRuns({
    agent: 'a',
    host: { now: () => 7, newId: () => `id-${ids++}`, timer: () => () => {} },
    transport: { sendRequest, cancelRequests: () => void asked.push('reject') },
  })
  return { asked, runs }
}

it('releases a run after invalid events, and opens it again', async () => {
  const { asked, runs } = setUp()
  const run = runs.startRun('Go', { id: 'r' })
  const said = run.say('More')

  runs.receiveEvents('r', [started, broken])
  runs.receiveEvents('r', [started])
  const opening = runs.openRun('r')
  await new Promise((resolve) => setTimeout(resolve))
  runs.receiveEvents('r', [started, { seq: 1, at: 1, iteration: 0, type: 'resumed' }])

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'log_invalid' } })
  expect(run.state.seq).toBe(2)
  await said
  const again = await opening
  expect([again === run, again.state.signal]).toEqual([false, undefined])
  expect(asked).toEqual(['start', 'command', 'leave', 'attach'])
})

it('says of a run that has no event yet that it can be exported later', async () => {
  const { runs } = setUp()
  const run = runs.startRun('Go', { id: 'r' })

  await expect(exportRun(run)).rejects.toThrow('has no event yet')
  runs.receiveEvents('r', [started])
  expect((await exportRun(run)).runId).toBe('r')
})

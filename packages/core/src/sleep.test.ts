import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { sleep } from './host.ts'

it('sleeps no longer than it is to, although the clock is set back meanwhile', async () => {
  const host = manualHost()
  let back = 0
  const abortSignal = new AbortController().signal
  let isOver = false
  const slept = sleep({ host: { ...host, now: () => host.now() - back }, abortSignal }, { key: 'k', ms: 1_000 })
  void slept.then(() => {
    isOver = true
  })

  back = 3_600_000
  await host.advance(1_000)

  expect(isOver).toBe(true)
  expect(host.timers).toBe(0)
})

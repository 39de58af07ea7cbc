import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { until } from '@interleave/test-kit/until'
import { scriptedModel } from '@interleave/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { acrossTabs, type Origin } from './index.ts'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
const reported = vi.fn()

beforeEach(() => {
  reported.mockClear()
  vi.stubGlobal('reportError', reported)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

it('says at the start and on resume that the browser denies locks', async () => {
  const kept = memoryJournal()
  const { journal, origin } = fakeBrowser(kept, pause).openTab()
  const locks: Origin['locks'] = {
    request: () => Promise.reject(new DOMException('Access is denied.', 'SecurityError')),
  }
  const described = agent({ name: 'a', model: scriptedModel('One.', 'Two.') })
  const guide = acrossTabs(described, { journal, origin: { ...origin, locks } })
  await described.start('Go', { id: 'kept', journal: kept }).settled
  const denied = {
    code: 'options_invalid',
    message: expect.stringMatching(/denies Web Locks: Access is denied\. Let the page store data, or use the agent/),
  }

  const run = guide.start('Go', { id: 'r' })

  expect(await run.settled).toMatchObject({ type: 'failed', error: denied })
  await expect(guide.resume('kept')).rejects.toMatchObject(denied)
  await pause()
  expect(reported).not.toHaveBeenCalled()
})

it('shows that the run to resume was deleted', async () => {
  const kept = memoryJournal()
  const { journal, origin } = fakeBrowser(kept, pause).openTab()
  const guide = acrossTabs(agent({ name: 'a', model: scriptedModel('One.') }), { journal, origin })
  const run = guide.start('Go', { id: 'r' })
  await run.settled
  await kept.delete('r')
  await expect(run.say('More')).rejects.toMatchObject({ code: 'run_unknown' })
  const { seq } = run.state

  run.resume()

  await until(() => run.state.seq > seq || reported.mock.calls.length > 0)
  await pause()
  expect(run.state.signal).toMatchObject({ type: 'failed', error: { code: 'run_unknown' } })
  expect(reported).not.toHaveBeenCalled()
})

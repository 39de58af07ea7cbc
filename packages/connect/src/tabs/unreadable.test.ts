import { agent } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { until } from '@interleave/test-kit/until'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { acrossTabs } from './index.ts'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

it('shows that it cannot read on, once, and reads on when it can', async () => {
  const kept = memoryJournal()
  const { openTab } = fakeBrowser(kept, pause)
  const host = manualHost()
  const takeoverAfterMs = 100
  let isReadable = true
  let failures = 0
  const open = (model = scriptedModel()) => {
    const { journal, origin } = openTab()
    const read: Journal['read'] = async (...given) => {
      if (isReadable) return kept.read(...given)
      failures++
      throw new Error('The disk sleeps.')
    }
    return acrossTabs(agent({ name: 'a', model }), { journal: { ...journal, read }, origin, takeoverAfterMs, host })
  }
  const first = open(scriptedModel('One.', 'Two.')).start('1', { id: 'r' })
  await first.settled
  const second = await open().resume('r')
  const signals: string[] = []
  second.subscribe((event) => event.type === 'settled' && signals.push(event.signal.type))

  isReadable = false
  await first.say('2')
  await first.settled
  await until(() => second.state.signal?.type === 'failed')
  const message = 'The journal could not be read: The disk sleeps.'
  expect(second.state.signal).toMatchObject({ error: { code: 'journal_failed', message } })
  const before = failures
  await host.advance(takeoverAfterMs / 4)
  await until(() => failures > before)
  isReadable = true
  await host.advance(takeoverAfterMs / 4)

  await until(() => second.state.signal?.type === 'answer')
  expect(second.state.signal).toMatchObject({ output: 'Two.' })
  expect(second.state).toEqual(first.state)
  expect(signals.filter((type) => type === 'failed')).toHaveLength(1)
})

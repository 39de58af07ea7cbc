import type { LanguageModelV4 } from '@ai-sdk/provider'
import { agent } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { until } from '@interleave/test-kit/until'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { acrossTabs } from './index.ts'

const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
it('shows in every tab what is kept, also what its owner did not come to tell', async () => {
  const kept = memoryJournal()
  const { openTab } = fakeBrowser(kept, () => pause())
  let isMute = false
  const open = (model: LanguageModelV4) => {
    const tab = openTab()
    const { origin } = tab
    const read: Journal['read'] = async (...given) => {
      await pause(20)
      return kept.read(...given)
    }
    const channel: typeof origin.channel = (name, listener) => {
      const own = origin.channel(name, listener)
      return { ...own, post: (data) => void (isMute || own.post(data)) }
    }
    return {
      tab,
      guide: acrossTabs(agent({ name: 'a', model }), {
        journal: { ...tab.journal, read },
        origin: { ...origin, channel },
      }),
    }
  }
  const one = open(scriptedModel('One.', 'Two.'))
  const first = one.guide.start('Go', { id: 'r' })
  await first.settled
  const others = [open(scriptedModel()), open(scriptedModel())] as const
  const [second, third] = await Promise.all([others[0].guide.resume('r'), others[1].guide.resume('r')])
  await until(() => second.owner === 'elsewhere' && third.owner === 'elsewhere')

  isMute = true
  await first.say('More')
  await first.settled
  one.tab.kill()
  isMute = false

  for (const run of [second, third]) await until(() => run.state.seq === first.state.seq)
  expect(third.state.signal).toMatchObject({ output: 'Two.' })
  expect(third.state).toEqual(second.state)
})

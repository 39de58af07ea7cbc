import type { LanguageModelV4 } from '@ai-sdk/provider'
import { agent, type ToolContext, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { type FakeTab, fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { until } from '@interleave/test-kit/until'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs, type RemoteAgent, type RemoteRun } from './index.ts'

const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** Two tabs, of which the first falls asleep when a call is written down, and before it learns of it. */
function sleepyBrowser() {
  const { openTab } = fakeBrowser(memoryJournal(), () => pause())
  const charged: string[] = []
  const guideOf = (tab: FakeTab, model: LanguageModelV4): RemoteAgent<string> => {
    const execute = (_: unknown, { idempotencyKey }: ToolContext) => void charged.push(idempotencyKey)
    const charge = tool({ inputSchema: z.object({}), execute })
    const { journal, origin } = tab
    return acrossTabs(agent({ name: 'a', model, tools: { charge } }), { journal, origin, takeoverAfterMs: 100 })
  }
  const sleepy = openTab()
  let isAsleep = false
  let wake = (): void => {}
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  const append: Journal['append'] = async (id, events, options) => {
    await sleepy.journal.append(id, events, options)
    if (isAsleep || !events.some(({ type }) => type === 'claimed')) return
    isAsleep = true
    sleepy.freeze()
    await woken
  }
  const first = guideOf(
    { ...sleepy, journal: { ...sleepy.journal, append } },
    scriptedModel({ calls: [{ name: 'charge', input: {} }] }),
  ).start('Go', { id: 'r' })
  return {
    first,
    charged,
    async takeOver() {
      await until(() => isAsleep)
      const second = await guideOf(openTab(), scriptedModel('Done.')).resume('r')
      await until(() => second.owner === 'here' && second.state.asks.length > 0)
      return second
    },
    /** Delivers pending results before the notification that it lost the run. */
    async wakeUp(second: RemoteRun<string>) {
      wake()
      await pause(20)
      sleepy.thaw()
      await until(() => first.owner !== 'here' && first.state.seq === second.state.seq)
    },
  }
}

it('starts no tool when it wakes and another tab has continued', async () => {
  const { first, charged, takeOver, wakeUp } = sleepyBrowser()
  const second = await takeOver()

  await second.reply('1/tool/0/interruption', 'again')
  await second.settled
  await wakeUp(second)

  expect(charged).toEqual(['r/1/tool/0'])
  expect(first.state).toEqual(second.state)
})

it('starts no tool when it wakes while a user is asked whether it ran', async () => {
  const { charged, takeOver, wakeUp } = sleepyBrowser()
  const second = await takeOver()

  await wakeUp(second)

  expect(charged).toEqual([])
})

import { agent, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { until } from '@interleave/test-kit/until'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs, type RemoteRun } from './index.ts'

const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** Returns tabs with a tool that never ends: each dies during the call, and its result is lost. */
function dyingTabs() {
  const { openTab } = fakeBrowser(memoryJournal(), () => pause())
  const charged: string[] = []
  const execute = (): Promise<never> => new Promise(() => void charged.push('charged'))
  const charge = tool({ inputSchema: z.object({}), execute })
  const open = () => {
    const tab = openTab()
    const { journal, origin } = tab
    const mute: typeof origin = {
      ...origin,
      channel(name, listener) {
        const channel = origin.channel(name, listener)
        const post = (data: unknown): void => void ((data as { type: string }).type === 'done' || channel.post(data))
        return { ...channel, post }
      },
    }
    const model = scriptedModel({ calls: [{ name: 'charge', input: {} }] })
    const described = agent({ name: 'a', model, tools: { charge } })
    return { tab, guide: acrossTabs(described, { journal, origin: mute }) }
  }
  return { open, charged }
}

const isAsked = ({ state }: RemoteRun<string>): boolean => state.asks.length > 0

it('does not take a reply to a question for one to the same question, asked again', async () => {
  const { open, charged } = dyingTabs()
  const one = open()
  one.guide.start('Go', { id: 'r' })
  await until(() => charged.length === 1)
  const two = open()
  const three = open()
  const second = await two.guide.resume('r')
  const third = await three.guide.resume('r')
  one.tab.kill()
  await until(() => isAsked(second) && isAsked(third))

  const reply = third.reply('1/tool/0/interruption', 'again')
  await until(() => charged.length === 2)
  two.tab.kill()
  await reply
  await until(() => third.owner === 'here' && isAsked(third) && third.state.signal)
  await pause(20)

  expect(charged).toHaveLength(2)
  expect(third.state.signal).toMatchObject({ type: 'inputNeeded' })
})

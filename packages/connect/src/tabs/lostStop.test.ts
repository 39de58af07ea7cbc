import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { manualModel } from '@interleave/test-kit/manualModel'
import { until } from '@interleave/test-kit/until'
import { expect, it } from 'vitest'
import { acrossTabs } from './index.ts'

type Origin = ReturnType<ReturnType<typeof fakeBrowser>['openTab']>['origin']
/** Returns an origin that posts a message only once `may` lets it. */
const delaying = (origin: Origin, may: (type: string) => Promise<unknown> | true): Origin => ({
  ...origin,
  channel(name, listener) {
    const channel = origin.channel(name, listener)
    const post = (data: unknown): void => {
      const now = may((data as { type: string }).type)
      if (now === true) channel.post(data)
      else void now.then(() => channel.post(data))
    }
    return { ...channel, post }
  },
})
const lost = new Promise<never>(() => {})

it('does not stop what the user says next, when the owner of the stop died before it answered', async () => {
  const { openTab } = fakeBrowser(memoryJournal(), () => new Promise((resolve) => setTimeout(resolve)))
  const model = manualModel()
  let release = (): void => {}
  const late = new Promise<void>((resolve) => {
    release = resolve
  })
  let stops = 0
  const open = (may: (type: string) => Promise<unknown> | true) => {
    const tab = openTab()
    const origin = delaying(tab.origin, may)
    return { tab, guide: acrossTabs(agent({ name: 'a', model }), { journal: tab.journal, origin }) }
  }
  const first = open((type) => (type === 'done' ? lost : true))
  first.guide.start('Go', { id: 'r' })
  await model.called(1)
  const next = await open(() => true).guide.resume('r')
  const run = await open((type) => (type !== 'command' || ++stops === 1 ? true : late)).guide.resume('r')
  const stopping = run.stop()
  await until(() => next.state.signal?.type === 'stopped')

  first.tab.kill()
  void next.say('Something else.')
  await model.called(2)
  release()
  await stopping
  model.say('Done.')
  model.end()

  await until(() => next.state.signal?.type !== undefined)
  expect(stops).toBeGreaterThan(1)
  expect(next.state.signal).toMatchObject({ type: 'answer', output: 'Done.' })
})

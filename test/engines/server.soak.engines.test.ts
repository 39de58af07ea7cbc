import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startServer } from './stories/startServer.ts'
import {
  addressOf,
  expectDone,
  inEachEngine,
  namesIn,
  runOf,
  say,
  untilAsked,
  untilWorking,
  useWorld,
} from './stories/tell.ts'

inEachEngine((engine) => {
  test.each(['look', 'pay'])(
    'two tabs continue after their server was dead for three seconds in a call: %s',
    async (call) => {
      const world = await useWorld()
      const server = await startServer(world)
      const at = { ...world, url: server.url }
      const first = await engine().open(addressOf(at, 'server'))
      world.hold(call)
      await say(first, `${call}, name`)
      await expect.poll(() => namesIn(world.ledger)).toEqual([call])
      const second = await engine().open(addressOf(at, 'server', await runOf(first)))
      await untilWorking(second)

      await server.kill()
      await pause(3_000)
      world.release()
      await server.start()
      if (call === 'pay') {
        await untilAsked(second, /pay was interrupted/)
        await second.press('2')
        await second.press('Enter')
      }
      await untilAsked(second, 'Your name?')
      await second.type('Ada')
      await second.press('Enter')

      await expectDone(second, `${call}, name`)
      // A page that nobody sees may be behind.
      await first.front()
      await expectDone(first, `${call}, name`)
      const seqs = [
        await first.evaluate(() => globalThis.told.state().seq),
        await second.evaluate(() => globalThis.told.state().seq),
      ]
      expect(seqs[0]).toBe(seqs[1])
      expect(namesIn(world.ledger)).toEqual(call === 'pay' ? ['pay'] : ['look', 'look'])
      expect(new Set(world.ledger.map(({ key }) => key)).size).toBe(1)
    },
  )
})

inEachEngine(
  (engine) => {
    test('a tab that was hidden is current when it is shown, whatever became of its timers and its server', async () => {
      const world = await useWorld()
      const server = await startServer(world)
      const at = { ...world, url: server.url }
      const first = await engine().open(addressOf(at, 'server'))
      world.hold('look')
      await say(first, 'look, name')
      await expect.poll(() => namesIn(world.ledger)).toEqual(['look'])
      const second = await engine().open(addressOf(at, 'server', await runOf(first)))
      await untilWorking(second)
      await first.until(() => document.hidden)
      // As a browser that delays the timers of hidden pages, for good.
      await first.evaluate(() => void Object.assign(globalThis, { setTimeout: () => 0 }))

      await server.kill()
      world.release()
      await server.start()
      await untilAsked(second, 'Your name?')
      await first.front()

      const seq = await second.evaluate(() => globalThis.told.state().seq)
      await first.until((seen) => globalThis.told.state().seq === seen, seq)
      await first.find('dialog', 'Your name?')
    })
  },
  { only: ['chromium'] },
)

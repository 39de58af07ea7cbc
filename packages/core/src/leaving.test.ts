import { scriptedModel } from '@interleave/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { agent, localHost, type RunState, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'

const page = new EventTarget()

afterEach(() => vi.unstubAllGlobals())

/** A run whose tool loses its connection, in a page whose clock is a thousand times as fast. */
async function settle(
  effect: 'atMostOnce' | 'idempotent',
  isLeft: boolean,
): Promise<[string | undefined, number, RunState]> {
  for (const name of ['addEventListener', 'removeEventListener'] as const) vi.stubGlobal(name, page[name].bind(page))
  let calls = 0
  const pay = tool({
    inputSchema: z.object({}),
    effect,
    execute() {
      calls++
      if (calls > 1) return 'paid'
      if (isLeft) page.dispatchEvent(new Event('beforeunload'))
      throw new TypeError('Load failed')
    },
  })
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { pay } }).start('Pay', {
    journal: memoryJournal(),
    host: { ...localHost, timer: (ms, callback) => localHost.timer(ms / 1_000, callback) },
  })
  const { type } = await run.settled
  return [run.state.asks[0]?.id ?? type, calls, run.state]
}

it('takes a connection that breaks while the page is left for an interruption', async () => {
  const [asked, calls] = await settle('atMostOnce', true)
  const [end, repeated, state] = await settle('idempotent', true)

  expect([asked, calls]).toEqual(['1/tool/0/interruption', 1])
  expect([end, repeated]).toEqual(['answer', 2])
  expect(JSON.stringify(state.history)).not.toContain('Load failed')
})

it('takes it for a report of the tool otherwise', async () => {
  const [end, calls, state] = await settle('atMostOnce', false)

  expect([end, calls]).toEqual(['answer', 1])
  expect(JSON.stringify(state.history)).toContain('Load failed')
})

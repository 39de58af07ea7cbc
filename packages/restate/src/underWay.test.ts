import type { Effect } from '@interleave/core'
import { expect, it } from 'vitest'
import { UnderWay } from './segment.ts'

const tool = (key: string): Effect => ({ kind: 'tool', key, name: 'ask', input: {} })
const wait = (key: string): Effect => ({
  ...{ kind: 'wait', key },
  ask: { kind: 'confirm', id: key, prompt: 'Well?', yes: 'Yes', no: 'No' },
})

/** Begins an effect that lasts until the test ends it. */
function begin(underWay: UnderWay, effect: Effect): () => Promise<void> {
  let end = (): void => {}
  const lasts = new Promise<void>((resolve) => {
    end = resolve
  })
  const done = underWay.during(effect, () => lasts)
  return () => {
    end()
    return done
  }
}

it('counts effects until they are done', async () => {
  let told = 0
  const underWay = new UnderWay(() => void told++)
  const end = begin(underWay, tool('1/tool/0'))
  expect([underWay.isNothing, told]).toEqual([false, 0])

  await end()

  expect([underWay.isNothing, told]).toEqual([true, 1])
})

it('takes a tool that waits for a user for one that does nothing', async () => {
  const underWay = new UnderWay(() => {})
  begin(underWay, tool('1/tool/0'))
  const ends = ['1/tool/0/ask/0', '1/tool/0/ask/1'].map((key) => begin(underWay, wait(key)))
  expect([underWay.isNothing, underWay.waits('1/tool/0/ask/1'), underWay.waits('2/tool/0/ask/0')]).toEqual([
    true,
    true,
    false,
  ])

  await ends[0]?.()
  expect(underWay.isNothing).toBe(true)
  await ends[1]?.()
  expect(underWay.isNothing).toBe(false)
})

it('takes a run that only lets time pass for one that does nothing, as soon as it does', () => {
  let told = 0
  const underWay = new UnderWay(() => void told++)

  begin(underWay, { kind: 'sleep', key: 'wait/1', ms: 60_000 })

  expect([underWay.isNothing, told]).toEqual([true, 1])
})

it('forgets a tool that ended before its question was answered', async () => {
  const underWay = new UnderWay(() => {})
  const endTool = begin(underWay, tool('1/tool/0'))
  const endWait = begin(underWay, wait('1/tool/0/ask/0'))

  await endTool()
  await endWait()

  expect(underWay.isNothing).toBe(true)
})

it('waits for what came of calls that were begun', () => {
  const underWay = new UnderWay(() => {})
  const stamp = { at: 0, iteration: 1 }
  underWay.noteEvents('a', [{ ...stamp, seq: 3, type: 'claimed', call: '1/tool/0' }])
  expect(underWay.isNothing).toBe(false)

  const result = { type: 'text', value: 'Done.' } as const
  underWay.noteEvents('a', [{ ...stamp, seq: 4, type: 'observed', call: '1/tool/0', result, ms: 1 }])

  expect(underWay.isNothing).toBe(true)
})

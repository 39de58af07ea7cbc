import type { Event } from '@interleave/core'
import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { Slices } from './slices.ts'

const called = (seq: number): Event => ({ seq, at: 0, iteration: 1, type: 'claimed', call: `1/tool/${seq}` })
const settled = (seq: number): Event => ({
  ...{ seq, at: 0, iteration: 1, type: 'settled' },
  signal: { type: 'stopped', reason: 'Enough.' },
})
const now = { chars: 10, canWait: false }
const later = { chars: 10, canWait: true }
const idle = { mayEnd: () => true }

it('says of each append when it is recorded', async () => {
  const slices = new Slices({ host: manualHost(), showMs: 100 })
  const done: string[] = []
  void slices.append([called(0)], now).then(() => done.push('first'))

  expect((await slices.next(idle)).events).toEqual([called(0)])
  expect(done).toEqual([])
  slices.confirmRecorded()
  void slices.append([called(1)], now).then(() => done.push('second'))
  expect((await slices.next(idle)).events).toEqual([called(1)])
  expect(done).toEqual(['first'])
})

it('records what can wait along with what cannot', async () => {
  const slices = new Slices({ host: manualHost(), showMs: 100 })
  await slices.append([called(0)], later)
  await slices.append([called(1)], later)
  const coming = slices.next(idle)
  void slices.append([called(2)], now)

  expect((await coming).events).toEqual([called(0), called(1), called(2)])
})

it('lets nothing wait for long, and not much', async () => {
  const host = manualHost()
  const slices = new Slices({ host, showMs: 100 })
  await slices.append([called(0)], later)
  const coming = slices.next(idle)
  await host.advance(20)
  expect((await coming).events).toEqual([called(0)])
  slices.confirmRecorded()
  await slices.append([called(1)], { chars: 2_000_000, canWait: true })

  expect((await slices.next(idle)).events).toEqual([called(1)])
})

it('tells what is recorded when it is, and not before', async () => {
  const told: Event[] = []
  const slices = new Slices({ host: manualHost(), showMs: 100, onRecorded: (events) => told.push(...events) })
  await slices.append([called(0)], later)
  void slices.append([called(1)], now)
  await slices.next(idle)
  expect(told).toEqual([])
  slices.confirmRecorded()

  expect(told).toEqual([called(0), called(1)])
})

it('waits for what comes', async () => {
  const slices = new Slices({ host: manualHost(), showMs: 100 })
  const coming = slices.next(idle)
  void slices.append([called(0)], now)

  expect((await coming).events).toEqual([called(0)])
})

it('has what was recorded shown after a while, also where nothing follows', async () => {
  const host = manualHost()
  const slices = new Slices({ host, showMs: 100 })
  void slices.append([called(0)], now)
  expect((await slices.next(idle)).isShown).toBe(false)
  slices.confirmRecorded()
  const quiet = slices.next(idle)
  await host.advance(100)

  expect(await quiet).toEqual({ events: [], isShown: true })
  expect(host.timers).toBe(0)
})

it('ends with a rest, unless something is under way', async () => {
  const slices = new Slices({ host: manualHost(), showMs: 100 })
  void slices.append([settled(0)], now)
  expect(await slices.next({ mayEnd: () => false })).toEqual({ events: [settled(0)], isShown: true })
  slices.confirmRecorded()
  void slices.append([settled(1)], now)

  expect(await slices.next(idle)).toEqual({ events: [settled(1)], isShown: true, end: 'rests' })
})

it('gives what is there before it ends, and then the end', async () => {
  const slices = new Slices({ host: manualHost(), showMs: 100 })
  void slices.append([called(0)], now)
  slices.endWith({ end: 'more' })

  expect((await slices.next(idle)).end).toBeUndefined()
  slices.confirmRecorded()
  expect(await slices.next(idle)).toEqual({ events: [], isShown: true, end: 'more' })
})

it('fails with what the run fails with', async () => {
  const slices = new Slices({ host: manualHost(), showMs: 100 })
  const coming = slices.next(idle)
  slices.failWith(new Error('Gone.'))

  await expect(coming).rejects.toThrow('Gone.')
})

import type { Event } from '@interleave/core'
import { localHost } from '@interleave/core'
import { expect, it } from 'vitest'
import { Connection } from './connection.ts'
import { writeFrame } from './frame.ts'
import { anyRun, type PageScope, placesFor } from './pagePlaces.ts'

/** The tabs of an origin, with locks unless the page was not loaded over HTTPS. */
function openTabs({ hasLocks = true } = {}) {
  const taken = new Set<string>()
  const request = async (name: string, _: unknown, work: (lock: object | null) => unknown): Promise<unknown> => {
    if (taken.has(name)) return work(null)
    taken.add(name)
    await work({})
    taken.delete(name)
  }
  return () => {
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible', baseURI: 'https://page.test/' })
    const navigator = { locks: { request } }
    const scope: PageScope = Object.assign(new EventTarget(), { document, ...(hasLocks && { navigator }) })
    const show = (visibilityState: 'visible' | 'hidden') => {
      document.visibilityState = visibilityState
      document.dispatchEvent(new globalThis.Event('visibilitychange'))
    }
    return { places: placesFor('/api', scope), show }
  }
}

it('gives two places to all tabs of an origin', async () => {
  const open = openTabs()
  const [a, b, c] = [open().places, open().places, open().places]

  const first = await a.takePlace()
  await b.takePlace()
  const none = await c.takePlace()
  first?.()
  await new Promise((resolve) => setTimeout(resolve))

  expect([none, typeof (await c.takePlace())]).toEqual([undefined, 'function'])
})

it('gives a page without locks one place, until another page wants it: then none has it', async () => {
  const open = openTabs({ hasLocks: false })
  const [a, b] = [open(), open()]
  const take = async ({ places }: typeof a) => (await places.takePlace()) !== undefined
  let asked = 0
  const giveBack = await a.places.takePlace()
  a.places.watch('r', { onShown() {}, onLength() {}, onCrowded: () => void asked++ })

  const second = await take(a)
  const newest = await b.places.takePlace()
  await expect.poll(() => asked).toBe(1)
  giveBack?.()
  newest?.()
  const again = await take(a)
  await expect.poll(() => take(b)).toBe(false)

  expect([typeof giveBack, second, typeof newest, again]).toEqual(['function', false, 'function', false])
  a.show('hidden')
  a.show('visible')
  expect(await take(a)).toBe(true)
})

it('tells the pages of an origin how much a run has', async () => {
  const open = openTabs()
  const [a, b] = [open().places, open().places]
  const received: unknown[] = []
  b.watch('r', { onShown() {}, onLength: (length) => received.push(length) })
  b.watch('other', { onShown() {}, onLength: () => received.push('wrong') })
  a.watch(anyRun, { onShown() {}, onLength: (length) => received.push(`any ${length}`) })

  a.tellLength('r', 7)

  await expect.poll(() => received).toEqual(['any 7', 7])
})

const settled: Event = { seq: 0, at: 1, iteration: 0, type: 'settled', signal: { type: 'stopped', reason: 'Enough.' } }
const resumed: Event = { seq: 1, at: 2, iteration: 0, type: 'resumed' }
const kept = (...events: Event[]) => events.map((data) => writeFrame({ name: 'kept', data })).join('')

it('keeps no stream for a run that settles or a page that is hidden, and asks at once when the page is shown', async () => {
  const { places, show } = openTabs()()
  const asked: string[] = []
  const answers: string[] = [kept(settled), '', '', kept(resumed), kept()]
  const seqs: number[] = []
  const connection = new Connection({
    runId: 'r',
    places,
    host: { ...localHost, timer: (ms, callback) => localHost.timer(ms < 1_000 ? 0 : ms, callback) },
    client: {},
    server: {
      reportSlow: () => () => {},
      async open(path, { signal }) {
        const isStream = !path.includes('wait=false')
        asked.push(isStream ? 'stream' : 'request')
        const text = new TextEncoder().encode(answers.shift() || ':\n\n')
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(text)
            if (!isStream) controller.close()
            signal.addEventListener('abort', () => asked.push('closed'), { once: true })
          },
        })
        return new Response(body)
      },
    },
    listener: {
      onEvents: (events) => seqs.push(...events.flatMap((event) => ('seq' in event ? [event.seq] : []))),
      ...{ onToken() {}, onCall() {}, onConnection() {}, onLife() {}, onFailure() {} },
    },
  })
  const steps = () => asked.join(' ')

  await expect.poll(() => seqs).toEqual([0])
  await expect.poll(steps).toBe('stream closed')
  show('hidden')
  show('visible')
  await expect.poll(steps).toBe('stream closed request')
  show('visible')
  await expect.poll(steps).toBe('stream closed request request')
  places.tellLength('r', 2)
  await expect.poll(steps).toBe('stream closed request request request stream')
  expect(seqs).toEqual([0, 1])
  show('hidden')
  await expect.poll(steps).toBe('stream closed request request request stream closed')
  connection.close()
})

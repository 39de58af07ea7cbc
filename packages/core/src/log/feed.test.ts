import { expect, it } from 'vitest'
import { fold, reduce } from '../changes/all.ts'
import type { AnyEvent, Event } from '../event.ts'
import { recorder, replay } from '../history/index.ts'
import { initialState } from '../state.ts'
import { Feed } from './feed.ts'
import { eventsOf } from './runEvents.ts'

const stamp = { at: 1, iteration: 0 }
const started: Event = { ...stamp, seq: 0, type: 'started', runId: 'r', agent: 'a', version: '1' }
const said = (seq: number, content: string): Event => ({ ...stamp, seq, type: 'said', by: 'user', content })
const delta = (text: string): AnyEvent => ({ type: 'delta', kind: 'text', delta: text })

it('takes back what was not kept, and has the state without it', () => {
  const feed = new Feed({ state: initialState, log: [] })
  const kept = [started, said(1, 'Go')]
  for (const event of [...kept, said(2, 'lost')]) feed.publish(event)

  feed.rewind(2)

  expect(feed.log).toEqual(kept)
  expect(feed.state).toEqual(fold(kept))
})

it('tells streams and records what is true instead', async () => {
  const feed = new Feed({ state: initialState, log: [] })
  const recording = recorder()
  feed.subscribe(recording)
  for (const event of [started, said(1, 'Go'), said(2, 'lost')]) feed.publish(event)
  const received: AnyEvent[] = []
  const streaming = (async () => {
    for await (const event of eventsOf(feed)) received.push(event)
  })()

  feed.rewind(2)
  feed.publish(said(2, 'kept'))
  feed.publish({ ...stamp, seq: 3, type: 'settled', signal: { type: 'stopped', reason: 'x' } })
  await streaming

  expect(received.map((event) => ('content' in event ? event.content : event.type))).toEqual([
    'started',
    'Go',
    'lost',
    'rewound',
    'kept',
    'settled',
  ])
  expect(recording.export().events).toEqual(feed.log)
})

it('plays what a recorder kept, also the live events after a rewind', () => {
  const feed = new Feed({ state: initialState, log: [] })
  const recording = recorder({ live: true })
  feed.subscribe(recording)
  for (const event of [started, said(1, 'Go'), delta('kept'), said(2, 'lost'), delta('lost')]) feed.publish(event)

  feed.rewind(2)
  feed.publish(delta('later'))
  feed.publish(said(2, 'Go on'))
  const played: string[] = []
  replay(recording.export()).play((event) => played.push('delta' in event ? event.delta : event.type))

  expect(played).toEqual(['started', 'said', 'kept', 'rewound', 'later', 'said'])
})

it('has the state after live events, although no listener needed it after each', () => {
  const feed = new Feed({ state: initialState, log: [] })
  const received: AnyEvent[] = []
  feed.subscribe(Object.assign((event: AnyEvent) => received.push(event), { ignoresState: true }))
  const events = [started, said(1, 'Go'), delta('a'), delta('b')]

  for (const event of events) feed.publish(event)
  const { draft } = feed.state
  feed.publish(delta('c'))

  expect(received).toEqual([...events, delta('c')])
  expect([draft?.text, feed.state.draft?.text]).toEqual(['ab', 'abc'])
})

it('gives the state after each event to a listener that begins while one is delivered', () => {
  const feed = new Feed({ state: initialState, log: [] })
  const texts: (string | undefined)[] = []
  const begin = (event: AnyEvent): void => {
    if (event.type !== 'said') return
    feed.publish(delta('a'))
    feed.subscribe((_event, state) => texts.push(state.draft?.text))
  }
  feed.subscribe(Object.assign(begin, { ignoresState: true }))

  for (const event of [started, said(1, 'Go'), delta('b')]) feed.publish(event)

  expect(texts).toEqual(['a', 'ab'])
})

it('has the same state after many live events that cannot be merged', () => {
  const feed = new Feed({ state: initialState, log: [] })
  const kinds = ['text', 'reasoning'] as const
  const events = Array.from({ length: 501 }, (_, i): AnyEvent => {
    return { type: 'delta', kind: kinds[i % 2] ?? 'text', delta: `${i} ` }
  })

  for (const event of events) feed.publish(event)

  expect(feed.state).toEqual(events.reduce(reduce, initialState))
})

import type { LiveEvent } from '@interleave/core/observe'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { expect, it } from 'vitest'
import { type PostedMessage, WholeTurns } from './hubHandler.ts'

const thinking: LiveEvent = { type: 'thinking', iteration: 1 }
const delta = (text: string): LiveEvent => ({ type: 'delta', kind: 'text', delta: text })
const told = (run: string, ...events: readonly LiveEvent[]): PostedMessage => ({ run, after: 2, iteration: 0, events })
const textOf = (events: readonly LiveEvent[]): string =>
  events.map((event) => (event.type === 'delta' ? event.delta : event.type === 'thinking' ? '|' : '')).join('')

/** Returns the events of a post that are shown, by run. */
function receive(turns: WholeTurns, first: number, post: readonly PostedMessage[], from = 'one'): string {
  const fresh = post.slice(turns.countKnown({ from, first, messages: post }))
  return fresh
    .map(({ run, ...rest }) => ('events' in rest ? textOf(turns.filterLive(run, from, rest.events)) : ''))
    .join('')
}

it('lets a turn through that is sent from its beginning', () => {
  const turns = new WholeTurns()

  expect(receive(turns, 0, [told('a', thinking, delta('Hel'))])).toBe('|Hel')
  expect(receive(turns, 1, [told('a', delta('lo')), told('a', thinking, delta('Again'))])).toBe('lo|Again')
})

it('leaves the rest of a turn out where something of it is missing, up to the next one', () => {
  const turns = new WholeTurns()
  receive(turns, 0, [told('a', thinking, delta('Hel'))])

  expect(receive(turns, 2, [told('a', delta(' world'))])).toBe('')
  expect(receive(turns, 3, [told('a', delta('!'), thinking, delta('New'))])).toBe('|New')
})

it('leaves a turn out that it comes to in the middle', () => {
  expect(receive(new WholeTurns(), 7, [told('a', delta('lo')), told('a', thinking, delta('New'))])).toBe('|New')
})

it('takes what is sent again once', () => {
  const turns = new WholeTurns()
  const post = [told('a', thinking), told('a', delta('Hel'))]
  receive(turns, 0, post)

  expect(receive(turns, 0, [...post, told('a', delta('lo'))])).toBe('lo')
})

it('receives only the process that began the turn last', () => {
  const turns = new WholeTurns()
  receive(turns, 0, [told('a', thinking, delta('Hel'))], 'stopped')

  expect(receive(turns, 0, [told('a', thinking, delta('Good'))], 'new')).toBe('|Good')
  expect(receive(turns, 1, [told('a', delta('lo'))], 'stopped')).toBe('')
  expect(receive(turns, 1, [told('a', delta(' day'))], 'new')).toBe(' day')
})

it('begins again where a model is tried again', () => {
  const turns = new WholeTurns()
  const error = { code: 'model_failed', message: 'Busy.', retryable: true } as const
  const model = { provider: 'demo', modelId: 'a' }

  const post = [told('a', delta('lost'), { type: 'retrying', attempt: 1, inMs: 5, error, model }, delta('Hello'))]

  expect(receive(turns, 3, post)).toBe('Hello')
})

it('lets through what stands for itself, such as progress, also where something is missing', () => {
  const progressed: LiveEvent = { type: 'progressed', call: '0/tool/0', output: 1 }

  expect(new WholeTurns().filterLive('a', 'one', [delta('lost'), progressed])).toEqual([progressed])
})

it('shows the beginning of each turn and nothing else of it, whatever is lost and sent again', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed)
    const turns = new WholeTurns()
    const shown: string[] = ['']
    const every = Array.from({ length: 40 }, (_, index) => (index % 8 === 0 ? thinking : delta(`${index % 8}`)))
    for (let at = 0; at < every.length; ) {
      const post = every.slice(at, at + 1 + Math.floor(random() * 4)).map((event) => told('a', event))
      if (random() < 0.7) shown.push(receive(turns, at, post))
      // Who sends does not know whether it arrived.
      if (random() < 0.8) at += post.length
    }
    for (const turn of shown.join('').split('|')) expect('1234567'.startsWith(turn), `${seed}: ${turn}`).toBe(true)
  }
})

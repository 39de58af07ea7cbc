import type { Event } from '@interleave/core'
import type { EventBody } from '@interleave/core/steps'
import { expect, it } from 'vitest'
import { type AskedEvent, wasReasked } from './replyTokens.ts'

const asked = (id: string): EventBody => ({
  type: 'asked',
  ask: { id, kind: 'confirm', prompt: '?', yes: 'y', no: 'n' },
})
const withdrawn: EventBody = { type: 'withdrawn', ask: 'a' }
const replied: EventBody = { type: 'replied', ask: 'a', value: true }
const logOf = (...bodies: EventBody[]): Event[] => bodies.map((body, seq) => ({ seq, at: 0, iteration: 1, ...body }))

it.each([
  ['only once', [asked('a')], false],
  ['once, and another one', [asked('a'), asked('b')], false],
  ['again without an answer', [asked('a'), withdrawn, asked('a')], true],
  ['again after an answer, which may come twice', [asked('a'), replied, asked('a')], false],
])('knows of a question that was asked %s', (_, bodies, fresh) => {
  const events = logOf(...bodies)

  expect(wasReasked(events, events[0] as AskedEvent)).toBe(fresh)
})

import type { AnyEvent } from '@interleave/core/observe'
import { eventually } from '@interleave/test-kit/eventually'
import { expect, it, vi } from 'vitest'
import { EventBatches } from './owner.ts'

const event = (seq: number): AnyEvent => ({ type: 'iterated', seq, at: 0 }) as unknown as AnyEvent

it('sends what comes after an event that could not be sent, and reports that one', async () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  const sent: AnyEvent[] = []
  const batches = new EventBatches((events) => {
    if (events.includes(first)) throw new DOMException('It cannot be cloned.', 'DataCloneError')
    sent.push(...events)
  })
  const [first, second] = [event(1), event(2)]

  batches.addEvent(first)
  await eventually(() => expect(reported).toMatchObject([{ name: 'DataCloneError' }]))
  batches.addEvent(second)

  await eventually(() => expect(sent).toEqual([second]))
  vi.unstubAllGlobals()
})

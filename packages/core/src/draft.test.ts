import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Draft, draftEvents, reduceDraft } from './draft.ts'
import type { LiveEvent } from './event.ts'

const name = fc.string({ minLength: 1, maxLength: 3 })
const event: fc.Arbitrary<LiveEvent> = fc.oneof(
  fc.record(
    { type: fc.constant('thinking' as const), iteration: fc.nat(3), readUntil: fc.nat(9) },
    { requiredKeys: ['type', 'iteration'] },
  ),
  fc.record({ type: fc.constant('delta' as const), kind: fc.constantFrom('text', 'reasoning'), delta: fc.string() }),
  fc.record({ type: fc.constant('delta' as const), kind: fc.constant('input'), id: name, tool: name, delta: name }),
  fc.record({ type: fc.constant('progressed' as const), call: name, output: fc.jsonValue() as fc.Arbitrary<null> }),
)
const after = (events: readonly LiveEvent[]): Draft | undefined =>
  events.reduce<Draft | undefined>((draft, each) => reduceDraft(draft, each, 0), undefined)

it('is the same for the one who joins in the middle of a turn', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const draft = after(events)

      expect(after(draftEvents(draft))).toEqual(draft)
    }),
  )
})

it('is void when the run continued elsewhere', () => {
  const draft = after([
    { type: 'delta', kind: 'text', delta: 'Once' },
    { type: 'rewound', to: 3 },
  ])

  expect(draft).toBeUndefined()
})

import type { Event } from '@interleave/core'
import { hideErrors } from '@interleave/core/internal'
import type { AnyEvent, LiveEvent } from '@interleave/core/observe'
import { expect, it } from 'vitest'
import { goldenBundles } from '../../../../test/golden/goldenLogs.ts'
import { clientMessages, verified } from '../testing/verify.ts'
import { agUiMessages } from './messages.ts'
import { toAgUi } from './toAgUi.ts'

interface Told {
  readonly after: number
  readonly event: LiveEvent
}

/** Yields a recorded run with its live events. */
function* withLive(events: readonly Event[], live: readonly Told[]): Generator<AnyEvent> {
  for (let length = 0; length <= events.length; length++) {
    for (const { after, event } of live) if (after === length) yield event
    const event = events[length]
    if (event) yield event
  }
}

for (const [name, { events, live }] of goldenBundles) {
  it(`writes the recorded run "${name}" as AG-UI events, stored and live`, async () => {
    const expected = listOf(agUiMessages(events.map((event) => hideErrors(event))))
    for (const log of [events, withLive(events, live)]) {
      const written = await verified(toAgUi(log))
      expect(listOf(await clientMessages(written))).toEqual(expected)
    }
  })
}

/** Returns the messages that a front end keeps. */
const listOf = (messages: readonly { readonly id: string; readonly role: string }[]) =>
  messages
    .filter(({ role }) => role !== 'activity' && role !== 'reasoning')
    .map((message) => JSON.parse(JSON.stringify({ ...message, error: undefined })))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

it('refuses what is not a list of events', () => {
  for (const none of [null, {}, [null]]) expect(() => toAgUi(none as never)).toThrow('The events of toAgUi() must be')
})

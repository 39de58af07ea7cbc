import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { recorder } from '@interleave/core/observe'
import { expect, it } from 'vitest'
import { expectTrace, formatTrace } from './expectTrace.ts'
import { scriptedModel } from './scriptedModel.ts'

it('reads the same however long a turn took', async () => {
  const log = recorder()
  const long = 'word '.repeat(500)
  const writer = agent({ name: 'writer', model: scriptedModel(long) })
  await writer.start('Write', { observers: [log], journal: memoryJournal() }).settled
  const { events } = log.export()

  expect(events.some(({ type }) => type === 'drafted')).toBe(true)
  expect(formatTrace(events)).not.toContain('drafted')
})

it.each([5, null, undefined, {}, ['x']])('refuses a trace that is not a string: %j', (expected) => {
  expect(() => expectTrace([], expected as never)).toThrow('The second argument of expectTrace() must be a string')
})

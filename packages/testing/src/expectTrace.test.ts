import { agent } from '@interleave/core'
import { recorder } from '@interleave/core/observe'
import { expect, it } from 'vitest'
import { formatTrace } from './expectTrace.ts'
import { scriptedModel } from './scriptedModel.ts'

it('reads the same however long a turn took', async () => {
  const log = recorder()
  const long = 'word '.repeat(500)
  await agent({ name: 'writer', model: scriptedModel(long) }).start('Write', { observers: [log] }).settled
  const { events } = log.export()

  expect(events.some(({ type }) => type === 'drafted')).toBe(true)
  expect(formatTrace(events)).not.toContain('drafted')
})

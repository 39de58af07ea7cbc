import type { Event } from '@interleave/core'

export interface ReplayTestOptions {
  readonly title: string
  readonly trace: string
  /** Where the run lies, beside the test. */
  readonly file: string
}

/** A test that reads a log again: it fails when the log, or the state that comes of it, is read in another way. */
export function replayTest(events: readonly Event[], { title, trace, file }: ReplayTestOptions): string {
  const last = events.findLast((event) => event.type === 'rested')
  const rest =
    last?.type === 'rested'
      ? `\n  expect(stateAt().rest).toMatchObject(${JSON.stringify({ type: last.signal.type })})`
      : ''
  return `import { replay } from '@interleave/core/observe'
import { expectTrace } from '@interleave/testing'
import { expect, it } from 'vitest'
import file from './${file}'

it(${JSON.stringify(title)}, () => {
  const { events, stateAt } = replay(file)

  expect(stateAt().seq).toBe(${events.length})${rest}
  expectTrace(events, \`
${trace}
  \`)
})
`
}

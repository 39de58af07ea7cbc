import type { Event } from '@interleave/core'
import { type RunFile, redact } from '@interleave/core/observe'
import { formatTrace } from '@interleave/testing'
import { rerunTest } from './rerunTest.ts'
import { whyNoRerun } from './whyNoRerun.ts'

/** A run as a test: files to put beside each other in a project. */
export interface GoldenTest {
  /** `rerun`: the agent runs again, with the recorded model, tools and people. `replay`: its log is read again. */
  readonly kind: 'rerun' | 'replay'
  /** The reason why the agent cannot run again. */
  readonly why?: string
  readonly files: readonly GoldenFile[]
  /** The run itself, without its secrets, for `npx interleave test`. */
  readonly run: RunFile
  readonly runFile: GoldenFile
}
export interface GoldenFile {
  readonly name: string
  readonly text: string
}

export interface GoldenOptions {
  /** The name of the test and its files. */
  readonly title: string
}

/** Makes a test of a log that passes as it stands, with `expectTrace` as its expectation. Secrets are left out. */
export function goldenTest(log: readonly Event[], { title }: GoldenOptions): GoldenTest {
  const name = slug(title)
  const run = redact(fileOf(log)).value
  const { events } = run
  const trace = traceIn(events)
  const why = whyNoRerun(events)
  const runFile = { name: `${name}.run.json`, text: JSON.stringify(run, null, 2) }
  const test =
    why === undefined ? rerunTest(events, { title, trace }) : replayTest(events, { title, trace, file: runFile.name })
  const files = [{ name: `${name}.test.ts`, text: test }]
  if (why === undefined) return { kind: 'rerun', files, run, runFile }
  return { kind: 'replay', why, files: [...files, runFile], run, runFile }
}

/** Returns the trace, escaped for a template literal. */
const traceIn = (events: readonly Event[]): string =>
  formatTrace(events)
    .replace(/[\\`]|\$(?=\{)/g, '\\$&')
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

function fileOf(events: readonly Event[]): RunFile {
  const { runId, agent, version } = Object(events[0])
  return { format: 'interleave.debug', formatVersion: 1, runId, agent, version, events, live: [] }
}

const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '') || 'run'

interface ReplayTestOptions {
  readonly title: string
  readonly trace: string
  /** The file of the run, next to the test. */
  readonly file: string
}

/** A test that reads a log again: it fails when the log, or the state that comes of it, is read in another way. */
function replayTest(events: readonly Event[], { title, trace, file }: ReplayTestOptions): string {
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

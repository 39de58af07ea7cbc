import type { Event } from '@interleave/core'
import { formatTrace } from '@interleave/testing'
import { replayTest } from './replayTest.ts'
import { rerunTest } from './rerunTest.ts'
import { whyNoRerun } from './whyNoRerun.ts'

/** A run as a test: files to put beside each other in a project. */
export interface GoldenTest {
  /** `rerun`: the agent runs again, with the recorded model, tools and people. `replay`: its log is read again. */
  readonly kind: 'rerun' | 'replay'
  /** Why the agent cannot run again. */
  readonly why?: string
  readonly files: readonly GoldenFile[]
}
export interface GoldenFile {
  readonly name: string
  readonly text: string
}

export interface GoldenOptions {
  /** What the test is called, and after which its files are named. */
  readonly title: string
}

/** Makes a test of a log that passes as it stands, with `expectTrace` as its expectation. */
export function goldenTest(events: readonly Event[], { title }: GoldenOptions): GoldenTest {
  const name = slug(title)
  const trace = traceIn(events)
  const why = whyNoRerun(events)
  if (why === undefined)
    return { kind: 'rerun', files: [{ name: `${name}.test.ts`, text: rerunTest(events, { title, trace }) }] }
  const files = [
    { name: `${name}.test.ts`, text: replayTest(events, { title, trace, file: `${name}.run.json` }) },
    { name: `${name}.run.json`, text: fileOf(events) },
  ]
  return { kind: 'replay', why, files }
}

/** As it stands in a template literal. */
const traceIn = (events: readonly Event[]): string =>
  formatTrace(events)
    .replace(/[\\`]|\$(?=\{)/g, '\\$&')
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

function fileOf(events: readonly Event[]): string {
  const { runId, agent, version } = Object(events[0])
  return JSON.stringify(
    { format: 'interleave.debug', formatVersion: 1, runId, agent, version, events, live: [] },
    null,
    2,
  )
}

const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '') || 'run'

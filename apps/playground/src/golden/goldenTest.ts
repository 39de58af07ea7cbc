import type { Event } from '@interleave/core'
import { type RunFile, redact, replay } from '@interleave/core/observe'
import { formatTrace } from '@interleave/testing'
import { rerunTest } from './rerunTest.ts'

/** A run as a test: files to put next to each other in a project. */
export interface GoldenTest {
  /** `rerun`: the agent runs again, with the recorded model, tools and replies. `replay`: its log is read again. */
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

/** Makes a test of a log that passes without a change, with `expectTrace` as its expectation. Secrets are omitted. */
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

/** A test that reads a log again: it fails if the log, or the state computed from it, changes. */
function replayTest(events: readonly Event[], { title, trace, file }: ReplayTestOptions): string {
  // A reply ends a pause: what the run settled with last may be over.
  const { signal } = replay(fileOf(events)).stateAt()
  const expected = signal ? `toMatchObject(${JSON.stringify({ type: signal.type })})` : 'toBeUndefined()'
  return `import { replay } from '@interleave/core/observe'
import { expectTrace } from '@interleave/testing'
import { expect, it } from 'vitest'
import file from './${file}'

it(${JSON.stringify(title)}, () => {
  const { events, stateAt } = replay(file)

  expect(stateAt().seq).toBe(${events.length})
  expect(stateAt().signal).${expected}
  expectTrace(events, \`
${trace}
  \`)
})
`
}

/** Returns why an agent with the recorded model and tools alone would not repeat a run; undefined if it would. */
function whyNoRerun(events: readonly Event[]): string | undefined {
  let isSettled = false
  for (const event of events) {
    const why = whyNot(event, isSettled)
    if (why !== undefined) return why
    if (event.type === 'settled') isSettled = true
    // The first message begins the run.
    else if (event.type !== 'replied') isSettled = event.type === 'started'
  }
  return events.at(-1)?.type === 'settled' ? undefined : 'it has not finished'
}

function whyNot(event: Event, isSettled: boolean): string | undefined {
  switch (event.type) {
    case 'started':
      if (event.parent) return 'it is a part of another run'
      return event.exposeReasoning === false ? 'its agent does not expose its thoughts' : undefined
    case 'said':
      if (event.by === 'agent') return 'its agent reminds itself'
      if (typeof event.content !== 'string') return 'files were sent to it'
      return isSettled ? undefined : 'it was steered while it worked'
    case 'thought':
      return whyNotThought(event)
    case 'claimed':
    // It follows from the reply before.
    case 'permitted':
    // A turn that took long: it is reported once it is done.
    case 'drafted':
      return undefined
    case 'observed':
      return whyNotObserved(event)
    case 'asked':
      return event.ask.call !== undefined && !event.ask.from
        ? undefined
        : 'something other than a tool asked a question'
    case 'revoked':
      return 'a permission was taken back in it'
    case 'replied':
      return isSettled ? undefined : 'it was answered while it worked'
    case 'settled':
      if (event.signal.type === 'inputNeeded') return undefined
      return event.signal.type === 'answer' && event.signal.reason === 'text'
        ? undefined
        : `it ended with the signal ${event.signal.type}`
    default:
      return `its agent has steps of its own ("${event.type}")`
  }
}

function whyNotThought({ parts, error, finish }: Extract<Event, { type: 'thought' }>): string | undefined {
  const calls = parts.filter((part) => part.type === 'tool-call')
  if (error) return 'a turn of the model failed'
  if (calls.length > 1) return 'it calls several tools at once'
  if (calls.some(({ providerExecuted }) => providerExecuted)) return 'its provider runs tools'
  if (parts.some(({ type }) => !['text', 'reasoning', 'tool-call'].includes(type)))
    return 'its model wrote more than text'
  return finish === undefined || ['stop', 'tool-calls'].includes(finish.unified) ? undefined : 'a turn was cut off'
}

function whyNotObserved({ result, output, error, final }: Extract<Event, { type: 'observed' }>): string | undefined {
  if (final) return 'a tool ended it with an answer'
  const given = 'value' in result ? result.value : undefined
  if (output !== undefined && JSON.stringify(output) !== JSON.stringify(given))
    return 'its model received something other than its tools returned'
  if (error) return ['tool_failed', 'tool_refused'].includes(error.code) ? undefined : 'a call was not made'
  return result.type === 'text' || result.type === 'json' ? undefined : 'a tool returned more than text and JSON'
}

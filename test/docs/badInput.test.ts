import { agUiHandler } from '@interleave/ag-ui'
import { chatTransport } from '@interleave/ai-sdk'
import { acrossTabs } from '@interleave/connect/tabs'
import { workerHost } from '@interleave/connect/worker'
import { agent, isAgentError } from '@interleave/core'
import { exportRun, fork, memoryJournal } from '@interleave/core/journal'
import { observer, redactingJournal } from '@interleave/core/observe'
import { serveAgents } from '@interleave/mcp'
import { mcpApps } from '@interleave/mcp/apps'
import { createHandler } from '@interleave/server'
import { scriptedModel, testRun } from '@interleave/testing'
import { printTranscript } from '@interleave/text'
import { exposeTools } from '@interleave/webmcp'
import { expect, it } from 'vitest'
import { publicNames } from './publicNames.ts'

const guide = agent({ name: 'guide', model: scriptedModel() })
const unused = {} as never

it.each<[string, (journal: never) => unknown]>([
  ['acrossTabs', (journal) => acrossTabs(guide, { journal })],
  ['agUiHandler', (journal) => agUiHandler({ journal } as never)],
  ['chatTransport', (journal) => chatTransport(guide, { journal })],
  ['createHandler', (journal) => createHandler({ journal } as never)],
  ['fork', (journal) => fork(guide, 'r', { journal })],
  ['mcpApps', (journal) => mcpApps(unused, { journal } as never)],
  ['serveAgents', (journal) => serveAgents(unused, { journal } as never)],
  ['exposeTools', (journal) => exposeTools({}, { journal })],
  ['workerHost', (journal) => workerHost([guide], { journal })],
])('%s() refuses a journal that cannot be read and written', async (name, call) => {
  const words = `\`journal\` of ${name}() must be an object with append(), read(), list() and delete()`

  for (const journal of [{}, null, 5, { append: () => 0 }])
    await expect(async () => await call(journal as never)).rejects.toThrow(words)
})

const run = guide.start('Go')

it.each<[string, (options: never) => unknown, string]>([
  ['`redcat`', (options) => exportRun(run, options), '`redact`'],
  ['`redcat`', (options) => exportRun(memoryJournal(), run.id, options), '`redact`'],
  ['`feilds`', (options) => redactingJournal(memoryJournal(), options), '`fields`'],
  ['`onFinsh`', (options) => observer(options), '`onFinish`'],
  ['`formt`', (options) => printTranscript(run.state, options), '`format`'],
  ['`agnet`', (options) => testRun({}, options), '`agent`'],
])('refuses the option %s, since it would have no effect', async (given, call, meant) => {
  const options = { [given.slice(1, -1)]: true }

  await expect(async () => await call(options as never)).rejects.toThrow(`Did you mean ${meant}?`)
})

it('exposeTools() refuses what is no tool', async () => {
  await expect(async () => await exposeTools({ pay: 5 } as never)).rejects.toThrow(
    'The tool "pay" of exposeTools() must be an object.',
  )
})

/** Functions that read what a run gives them, often in each render, and are not checked: their types are. */
const readers =
  namesIn(`adviceOf enforced fold foreignLink hostOf isKept messagesOf missingTools openCalls partialOutput plainText position
  printTranscript reduce runChild scratchpad segmentsOf sideCall staticRun userMessageOf visitCounts`)

/** Functions that take nothing, a number, or any value. */
const takesNumbers =
  namesIn(`askToPersist block childId configOf contains dropTurns exact formatConfig hasHidden isAgentError
  jsonEqual liveHub manualHost memoryJournal textAnswer persistence plainJson redact remind rewrite tabHost traceIds wait`)

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

/** All public functions but hooks, classes and components. */
async function functions(): Promise<readonly (readonly [string, (given?: unknown) => unknown])[]> {
  const found = [...publicNames()].filter(([name, { kind }]) => kind === 'value' && /^(?!use[A-Z])[a-z]/.test(name))
  const loaded = found.map(async ([name, { from }]) => [name, (await import(from))[name]] as const)
  return (await Promise.all(loaded)).filter(([name, value]) => typeof value === 'function' && !readers.has(name))
}

/** Returns the error of a call, if it throws or rejects. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call()
    return undefined
  } catch (error) {
    return error
  }
}

it('has no function that answers a wrong argument with an error of the language', async () => {
  const raw: string[] = []
  for (const [name, call] of await functions())
    for (const args of [[], [undefined], [null], [5], [''], [{}]]) {
      const error = await errorOf(() => call(...args))
      if (error !== undefined && !isAgentError(error)) raw.push(`${name}(${JSON.stringify(args)}): ${String(error)}`)
    }

  expect(raw).toEqual([])
})

it('has no function that takes a number for something else', async () => {
  const taken: string[] = []
  for (const [name, call] of await functions()) if (!(await errorOf(() => call(5)))) taken.push(name)

  expect(taken.filter((name) => !takesNumbers.has(name))).toEqual([])
})

// The page of webmcp.soak.test.ts.
import { agent, approval, choice, type Run, type Schema, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { initializeWebMCPPolyfill } from '@mcp-b/webmcp-polyfill'
import { z } from 'zod'
import { exposeTools, remoteWebMcpFunctions, webMcpTools } from '../index.ts'
import { inputFor, type ModelContext, type RegisteredTool } from '../modelContext.ts'

if (location.search === '?polyfill') initializeWebMCPPolyfill()
const context = (): ModelContext => (document as unknown as { modelContext: ModelContext }).modelContext

const seen = (run: Run) => ({
  signal: run.state.signal,
  asks: run.state.asks,
  calls: run.state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : [])),
})

/** Registers a tool with the browser, as any other script of a page does. */
async function register(given: Omit<RegisteredTool, 'inputSchema'>, result: unknown, signal?: AbortSignal) {
  const execute = async (input: unknown) => {
    if (result === 'throw') throw new Error('a secret')
    return result === 'echo' ? input : result
  }
  const properties = { city: { type: 'string' } }
  await context().registerTool(
    { ...given, inputSchema: { type: 'object', properties }, execute },
    signal ? { signal } : {},
  )
}

/** Lets an agent in the page call its tools, one after another. `meanwhile` happens in the first call. */
async function call(names: readonly string[], reply?: unknown, meanwhile: () => Promise<unknown> = async () => {}) {
  const turns = names.map((name) => ({ calls: [{ name, input: { city: 'Rome' } }] }))
  const model = scriptedModel(...turns, 'Done.')
  const wait = tool({ inputSchema: z.object({}).loose(), execute: async () => void (await meanwhile()) })
  const run = agent({ name: 'helper', model, tools: [{ wait }, webMcpTools()] }).start('Go')
  await run.settled
  const before = seen(run)
  if (reply !== undefined && run.state.asks[0]) await run.reply(run.state.asks[0].id, reply)
  await run.settled
  const tools = model.calls.map(({ tools: all = [] }) => all)
  return { before, ...seen(run), tools }
}

const runs: Run[] = []
const ending = new AbortController()
const booked: unknown[] = []
const when = choice({ prompt: 'When?', options: ['19:00', '20:30'] })
const inputSchema: Schema<{ people: number }> = z.object({ people: z.int().min(1) })
const book = tool({
  description: 'Books a table.',
  inputSchema,
  approve: ({ people }: { people: number }) => people > 8 && approval(),
  async execute({ people }, { ask }) {
    const at = await ask(when)
    booked.push({ people, at })
    return { people, at }
  },
})
const fail = tool({
  inputSchema: z.object({}),
  effect: 'readOnly',
  execute: () => {
    throw new Error('No table is free.')
  },
})
const journal = memoryJournal()

/** Calls a tool of the page as the browser's agent does. */
async function outside(name: string, input: object, signal?: AbortSignal): Promise<unknown> {
  const found = (await context().getTools()).find((each) => each.name === name)
  if (!found) throw new Error(`There is no tool ${name}.`)
  return JSON.parse(String(await context().executeTool(found, inputFor(input), signal ? { signal } : {})))
}

const testPage = {
  ...{ register, call, outside, booked, runs, ending, pageFunctions: remoteWebMcpFunctions() },
  names: async () => (await context().getTools()).map(({ name }) => name),
  offer: async () =>
    void (await exposeTools({ book, fail }, { signal: ending.signal, journal, onRun: runs.push.bind(runs) })),
  asked: () => runs.map(seen),
  async reply(value: unknown) {
    const run = runs.at(-1)
    await run?.reply(run.state.asks[0]?.id ?? '', value)
  },
}
Object.assign(globalThis, testPage)
export type TestPage = typeof testPage

import { remoteAgent } from '@interleave/connect/http'
import { agent, answer, choice, type Run, reasonAct, type ToolSet, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { guardCalls } from '@interleave/core/steps'
import { bundle } from '@interleave/core/tools'
import { eventually } from '@interleave/test-kit/eventually'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { exposeTools } from './exposeTools.ts'
import type { ModelContext, ToolDescription } from './modelContext.ts'
import { remoteWebMcpFunctions, remoteWebMcpTools } from './remoteWebMcpTools.ts'
import { webMcpTools } from './webMcpTools.ts'

const origin = 'https://page.example'
/** A page with tools, as the browser keeps them. */
let tools: Map<string, ToolDescription & { readonly origin?: string }>
beforeEach(() => {
  tools = new Map()
  const modelContext: ModelContext = {
    async registerTool(given, { signal } = {}) {
      if (tools.has(given.name)) throw new Error('Duplicate tool name')
      tools.set(given.name, given)
      signal?.addEventListener('abort', () => tools.delete(given.name))
    },
    getTools: async () => [...tools.values()].map((each) => ({ origin, ...each })),
    executeTool: async ({ name }, input) => JSON.stringify(await tools.get(name)?.execute(input)),
  }
  vi.stubGlobal('document', { modelContext })
  vi.stubGlobal('location', { origin })
})
afterEach(() => void vi.unstubAllGlobals())

const inputSchema = z.object({ people: z.number() })
const book = tool({
  inputSchema,
  execute: async ({ people }, { ask }) => ({ people, at: await ask(choice({ prompt: 'When?', options: ['19:00'] })) }),
})
const call = (name: string, input: unknown) => tools.get(name)?.execute(input)

it('continues the run of a call after a reload, and books once', async () => {
  const journal = memoryJournal()
  const runs: Run[] = []
  await exposeTools({ book }, { journal, onRun: (run) => void runs.push(run) })
  void call('book', { people: 2 })
  await eventually(() => expect(runs[0]?.state.signal).toMatchObject({ type: 'inputNeeded' }))
  tools.clear()

  const outside = await exposeTools({ book })
  const run = await outside.resume(runs[0]?.id ?? '', { journal })
  await run.reply(run.state.asks[0]?.id ?? '', '19:00')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(JSON.stringify(run.state.history)).toContain('{"people":2,"at":"19:00"}')
})

it('stops the run of a call whose caller has given up', async () => {
  await exposeTools({ book })
  const giving = new AbortController()
  const called = tools.get('book')?.execute({ people: 2 }, { signal: giving.signal })
  giving.abort()

  expect(await called).toEqual({ error: 'It was stopped.' })
})

it('offers nothing if one of the tools cannot be offered', async () => {
  tools.set('pay', { name: 'pay', description: 'Of another script.', execute: async () => 'paid' })
  const other = tool({ inputSchema, execute: () => 1 })

  await expect(exposeTools({ book, pay: other })).rejects.toThrow('Duplicate')
  expect([...tools.keys()]).toEqual(['pay'])
})

it('offers the tools of an agent, and not those that end its runs', async () => {
  const desk = agent({
    name: 'desk',
    model: scriptedModel(),
    tools: { book },
    output: answer(z.object({ n: z.number() })),
  })
  await exposeTools(desk as never)

  expect([...tools.keys()]).toEqual(['book'])
  const files = bundle({ description: 'Files.', tools: { book } })
  await expect(exposeTools({ files })).rejects.toThrow('cannot offer "files"')
})

it('holds calls to the steps that are given', async () => {
  const check = () => ({ type: 'block', reason: 'We are closed.' }) as const
  await exposeTools({ book }, { backend: reasonAct({ between: [guardCalls(check)] }) })

  expect(await call('book', { people: 2 })).toEqual({ error: 'We are closed.' })
})

it('refuses inputs that are too large, and more calls than it can take', async () => {
  await exposeTools({ book })
  expect(await call('book', { people: 'x'.repeat(1_000_001) })).toEqual({
    error: expect.stringContaining('characters'),
  })
  for (let i = 0; i < 16; i++) void call('book', { people: 1 })

  expect(await call('book', { people: 1 })).toEqual({ error: '16 calls are running. Call book again later.' })
})

it('does not run a tool that has changed since it was described', async () => {
  const ran = vi.fn()
  const put = (description: string) =>
    tools.set('pay', { name: 'pay', description, execute: async () => void ran(description) })
  put('Pays a little.')
  const all = (await webMcpTools().current()) as Record<string, { execute(input: object, context: object): unknown }>
  put('Pays all.')
  const context = { abortSignal: new AbortController().signal }

  await expect(all.page_pay?.execute({}, context)).rejects.toThrow('has changed')
  tools.clear()
  await expect(all.page_pay?.execute({}, context)).rejects.toThrow('no tool "pay" any more')
  expect(ran).not.toHaveBeenCalled()
})

it('lists and calls tools of the page for an agent on a server, after an approval and once', async () => {
  const ran: unknown[] = []
  tools.set('pay', { name: 'pay', description: 'Pays.', execute: async (input) => ran.push(input) })
  const model = scriptedModel(
    { calls: [{ name: 'listPageTools', input: {} }] },
    { calls: [{ name: 'callPageTool', input: { name: 'pay', input: { amount: 5 } } }] },
    'Paid.',
  )
  const handler = openHandler([agent({ name: 'buyer', model, tools: { ...remoteWebMcpTools() } })])
  const buyer = remoteAgent({
    url: 'https://edge.test/api',
    name: 'buyer',
    headers: { authorization: 'ada' },
    fetch: (url, init) => handler(new Request(url, init)),
    tools: remoteWebMcpFunctions(),
  })
  const run = buyer.start('Pay.')

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'approval' }] })
  expect(ran).toEqual([])
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true })
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Paid.' })

  expect(ran).toEqual([{ amount: 5 }])
  const told = JSON.stringify(model.calls[1]?.prompt.at(-1)?.content)
  expect(told).toContain('"trusted":false')
  expect(told).toContain('Pays.')
  run.close()
})

it('marks what frames of other origins say, and does not believe their hints', async () => {
  const annotations = { readOnlyHint: true }
  const execute = async () => 'x'
  tools.set('a', { name: 'a', description: 'A.', annotations, execute })
  tools.set('b', { name: 'b', description: 'B.', annotations, execute, origin: 'https://other.example' })
  const { page_a: a, page_b: b } = (await webMcpTools().current()) as Record<string, object>

  expect(a).toMatchObject({ effect: 'readOnly', description: 'A.' })
  expect(a).not.toHaveProperty('toModelOutput')
  expect(b).toMatchObject({ effect: 'atMostOnce', description: '(By https://other.example) B.' })
  expect(b).toHaveProperty('toModelOutput')
})

it('omits a tool that cannot be read, or is too large for a prompt', async () => {
  const execute = async () => 'x'
  const self: { properties?: object } = {}
  self.properties = { self }
  const bad: Record<string, object> = {
    circle: { inputSchema: self },
    none: { annotations: null },
    huge: { description: 'd'.repeat(200_000) },
    hostile: {
      get title() {
        throw new Error('No.')
      },
    },
  }
  tools.set('good', { name: 'good', description: 'Good.', execute })
  for (const [name, given] of Object.entries(bad)) {
    const described = { name, description: 'D.', execute }
    tools.set(name, Object.defineProperties(described, Object.getOwnPropertyDescriptors(given)))
  }
  const { modelContext } = document as unknown as { modelContext: ModelContext }
  modelContext.getTools = async () => [...tools.values()]

  expect(Object.keys((await webMcpTools().current()) as object)).toEqual(['page_good'])
})

it('takes back tools that it is still offering when the signal aborts', async () => {
  const leaving = new AbortController()
  const offering = exposeTools({ order: book }, { signal: leaving.signal })
  leaving.abort()

  expect(await offering).toHaveProperty('name', 'outside')
  expect([...tools.keys()]).toEqual([])
  tools.set('order', { name: 'order', description: 'Of another script.', execute: async () => 'x' })
  expect(Object.keys((await webMcpTools().current()) as object)).toEqual(['page_order'])
})

it('gives an agent a tool that a script of the page names __proto__, like any other', async () => {
  const execute = async () => 'Found.'
  for (const name of ['__proto__', 'find']) tools.set(name, { name, description: name, execute })

  const found = (await webMcpTools({ prefix: '' }).current()) as object

  expect(Object.keys(found)).toEqual(['__proto__', 'find'])
  expect(Object.getPrototypeOf(found)).toBe(Object.prototype)
})

it('asks before tools that say that they have consequences, and takes the named ones alone', async () => {
  const execute = async () => 'x'
  tools.set('pay', { name: 'pay', description: 'Pays.', annotations: { consequentialHint: true }, execute })
  tools.set('look', { name: 'look', description: 'Looks.', execute })
  const asksBefore = async (options: Parameters<typeof webMcpTools>[0]) => {
    const made = Object.entries((await webMcpTools({ prefix: '', ...options }).current()) as ToolSet)
    const model = scriptedModel({ calls: made.map(([name]) => ({ name, input: {} })) }, 'Done.')
    const run = agent({ name: 'a', model, tools: Object.fromEntries(made) }).start('Go')
    await run.settled
    return [made.map(([name]) => name), run.state.asks.flatMap((ask) => (ask.kind === 'approval' ? [ask.tool] : []))]
  }

  expect(await asksBefore({})).toEqual([['pay', 'look'], ['pay']])
  expect(await asksBefore({ approve: 'always', only: ['look'] })).toEqual([['look'], ['look']])
  expect(await asksBefore({ approve: 'never' })).toEqual([['pay', 'look'], []])
  expect(await asksBefore({ approve: ({ name }) => name === 'look' })).toEqual([['pay', 'look'], ['look']])
})

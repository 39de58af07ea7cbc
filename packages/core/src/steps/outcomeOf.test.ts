import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent } from '../agent.ts'
import { messagesOf } from '../history/index.ts'
import { type ToolContext, type ToolOptions, tool } from '../tool.ts'

const inputSchema = z.object({})

async function call(execute: () => unknown, options: Partial<ToolOptions<object, unknown>> = {}) {
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const look = tool<object, unknown>({ description: 'Looks.', inputSchema, execute, ...options })
  const run = agent({ name: 'a', model, tools: { look } }).start('Look', { observers: [laws()] })
  await run.settled
  const results = model.calls[1]?.prompt.at(-1)?.content as readonly { output: unknown }[] | undefined
  return { forModel: results?.[0]?.output, shown: messagesOf(run).find(({ type }) => type === 'call') }
}

class Empty {}
class Hidden {
  readonly #rows = [1]
  get rows() {
    return this.#rows
  }
}

it.each<[string, () => unknown, RegExp]>([
  ['Response', () => new Response('[]'), /"look" is a value of type Response.*await response\.json\(\)/],
  ['Map', () => new Map([['a', 1]]), /type Map.*Object\.fromEntries\(map\)/],
  ['Set', () => new Set([1]), /type Set/],
  ['Error', () => new Error('lost'), /type Error/],
  ['function', () => () => 1, /type function/],
  ['symbol', () => Symbol('s'), /type symbol/],
  ['class instance', () => new Hidden(), /an instance of a class that has no fields/],
  ['empty class instance', () => new Empty(), /an instance of a class/],
  ['nested promise', () => ({ rows: Promise.resolve([]) }), /has at "rows" a value of type Promise/],
  ['nested Map', () => [{ byName: new Map() }], /has at "byName" a value of type Map/],
  ['ArrayBuffer', () => new ArrayBuffer(4), /type ArrayBuffer/],
])('a tool that returns a %s fails with a message that says what to return', async (_, execute, message) => {
  const { forModel, shown } = await call(execute)

  expect(forModel).toEqual({ type: 'error-text', value: expect.stringMatching(message) })
  expect(shown).toMatchObject({
    state: 'failed',
    error: { code: 'json_invalid', message: expect.stringMatching(message) },
  })
})

it.each<[string, () => unknown, unknown]>([
  ['nothing', () => undefined, null],
  ['an empty object', () => ({}), {}],
  ['an object without a prototype', () => Object.create(null), {}],
  ['a class instance with fields', () => Object.assign(new Empty(), { rows: 1, refetch: () => 1 }), { rows: 1 }],
  [
    'dates and addresses',
    () => [new Date(0), new URL('https://a.example/')],
    ['1970-01-01T00:00:00.000Z', 'https://a.example/'],
  ],
  ['a boxed string', () => ({ at: Object('x') }), { at: 'x' }],
])('a tool may return %s', async (_, execute, value) => {
  const { forModel, shown } = await call(execute)

  expect(forModel).toEqual({ type: 'json', value })
  expect(shown).toMatchObject({ state: 'done' })
})

it.each<[string, (context: ToolContext) => unknown, RegExp]>([
  [
    'yields a Map on its way',
    async function* () {
      yield new Map([['a', 1]])
      yield 'done'
    },
    /The output of the tool "look" is a value of type Map/,
  ],
  [
    'persists a Set by once()',
    ({ once }) => once('ids', () => new Set([1]) as never),
    /once\("ids"\) is a value of type Set/,
  ],
  [
    'persists an instance',
    ({ once }) => once('row', () => new Hidden() as never),
    /once\("row"\) is an instance of a class/,
  ],
])('a tool that %s fails with a message that says what to return', async (_, execute, message) => {
  const { shown } = await call(() => undefined, { execute: (_, context) => execute(context) })

  expect(shown).toMatchObject({ error: { code: 'json_invalid', message: expect.stringMatching(message) } })
})

it('takes a tool without a description, as the AI SDK does', async () => {
  const model = scriptedModel('Done.')
  await agent({ name: 'a', model, tools: { look: tool({ inputSchema, execute: () => 1 }) } }).start('Look').settled

  expect(model.calls[0]?.tools).toEqual([expect.not.objectContaining({ description: expect.anything() })])
})

it('leaves what JSON cannot hold to toModelOutput', async () => {
  const { forModel, shown } = await call(() => new Map([['a', 1]]), {
    toModelOutput: ({ output }) => ({ type: 'text', value: [...(output as Map<string, number>).keys()].join() }),
  })

  expect(forModel).toEqual({ type: 'text', value: 'a' })
  expect(shown).toMatchObject({ state: 'done' })
})

const failed = { isError: true, content: [{ type: 'text', text: 'No such table.' }] }

it.each<[string, Partial<ToolOptions<object, unknown>>]>([
  ['', {}],
  [
    'with toModelOutput',
    { toModelOutput: () => ({ type: 'content', value: [{ type: 'text', text: 'No such table.' }] }) },
  ],
])(
  'an MCP result with isError is an error for the model and for the UI, like one that is thrown %s',
  async (_, options) => {
    const thrown = await call(() => {
      throw new Error('No such table.')
    })

    const { forModel, shown } = await call(() => failed, options)

    expect(forModel).toEqual({ type: 'error-text', value: 'No such table.' })
    expect(shown).toMatchObject({ state: 'failed', output: 'No such table.', error: { code: 'tool_failed' } })
    expect({ forModel, shown: { ...shown, at: 0, ms: 0 } }).toEqual({
      ...thrown,
      shown: { ...thrown.shown, at: 0, ms: 0 },
    })
  },
)

it('tells an MCP error without text as JSON, and takes a result that is no error as it is', async () => {
  const { forModel } = await call(() => ({ isError: true, content: [{ type: 'image', data: 'AA==' }] }))
  const fine = await call(() => ({ isError: false, content: [] }))

  expect(forModel).toEqual({ type: 'error-text', value: '[{"type":"image","data":"AA=="}]' })
  expect(fine.forModel).toEqual({ type: 'json', value: { isError: false, content: [] } })
})

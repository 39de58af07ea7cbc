import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { connectPages, type Pages } from '@interleave/test-kit/connectPages'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { Page } from './page.ts'
import { pageLeases } from './pageLeases.ts'
import {
  type ClientToolOptions,
  clientTool,
  type PageContext,
  type WorkerHostOptions,
  workerHost,
} from './worker/index.ts'

const inputSchema = z.object({ text: z.string() })
type Message = { readonly call: string }
type Options = Partial<ClientToolOptions<{ text: string }, unknown>>

/** An agent that has a page highlight a text. */
function highlighting(options: Options = {}, host: WorkerHostOptions = {}, input: unknown = { text: 'Monday' }) {
  const calls = [{ name: 'highlight', input }]
  const turn: ScriptedTurn = ({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls })
  const model = scriptedModel(turn, turn, turn, turn)
  const tools = { highlight: clientTool({ inputSchema, ...options }) }
  const pages = connectPages(workerHost([agent({ name: 'a', model, tools })], host))
  return { pages, told: () => JSON.stringify(model.calls.at(-1)?.prompt.at(-1)?.content) }
}
const open = (pages: Pages, highlight?: (input: { text: string }, context: PageContext) => unknown) =>
  pages.open('a', highlight && { tools: { highlight } })
const never = () => new Promise<never>(() => {})

it('performs the tool in the page, with the input that was checked', async () => {
  const { pages, told } = highlighting()
  const contexts: unknown[] = []
  const { agent: a } = open(pages, ({ text }, context) => contexts.push(context) && { found: text, at: new Date(0) })

  const run = a.start('Go')

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(told()).toContain('{"found":"Monday","at":"1970-01-01T00:00:00.000Z"}')
  expect(contexts).toMatchObject([{ runId: run.id, idempotencyKey: `${run.id}/1/tool/0` }])
})

it('gives the model what the function throws, and what does not fit', async () => {
  const broken = highlighting()
  const wrong = highlighting({}, {}, { text: 1 })
  const output = highlighting({ outputSchema: z.number() })

  await open(broken.pages, () => Promise.reject(new Error('no document'))).agent.start('Go').settled
  await open(wrong.pages, () => 'never').agent.start('Go').settled
  await open(output.pages, () => 'text').agent.start('Go').settled

  expect(broken.told()).toContain('"error-text","value":"no document"')
  expect(wrong.told()).toContain('does not fit its schema')
  expect(output.told()).toContain('output schema')
})

it.each([new Map([['found', 1]]), new Response('1'), () => 1, [new Set([1])]])(
  'gives the model no empty result of what JSON cannot hold, such as %s',
  async (result) => {
    const { pages, told } = highlighting()

    await open(pages, () => result).agent.start('Go').settled

    expect(told()).toContain('which JSON cannot hold. Return plain data')
  },
)

it('ends a call whose function throws a value that cannot be read', async () => {
  const { pages, told } = highlighting()
  const thrown = new Proxy(
    {},
    {
      get() {
        throw new Error('no look')
      },
    },
  )

  await open(pages, () => Promise.reject(thrown)).agent.start('Go').settled

  expect(told()).toContain('The thrown value cannot be read.')
})

it('aborts in the page what is stopped', async () => {
  const { pages } = highlighting()
  let aborted: AbortSignal | undefined
  const run = open(pages, (_, { abortSignal }) => {
    aborted = abortSignal
    return never()
  }).agent.start('Go')
  await expect.poll(() => aborted).toBeDefined()

  await run.stop('Enough.')

  await expect.poll(() => aborted?.reason).toMatchObject({ code: 'stopped', message: 'Enough.' })
})

it('asks for a page, and continues when one comes', async () => {
  const { pages, told } = highlighting()
  const run = open(pages).agent.start('Go')
  const waits = await run.settled
  const types: string[] = []
  run.subscribe(({ type }) => types.push(type))

  await open(pages, ({ text }) => text).agent.resume(run.id)
  await untilSettled(run, 'answer')

  expect(waits).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'choice', id: '1/tool/0/ask/page' }] })
  expect(told()).toContain('Monday')
  expect(types.slice(0, 3)).toEqual(['withdrawn', 'claimed', 'observed'])
})

it('continues without a page if the user chooses that', async () => {
  const { pages, told } = highlighting()
  const run = open(pages).agent.start('Go')
  await run.settled

  await run.reply('1/tool/0/ask/page', 'skip')
  await untilSettled(run, 'answer')

  expect(told()).toContain('decided to continue without it')
})

it('does not use a page that shows another run', async () => {
  const { pages } = highlighting()
  const other = open(pages, () => 'other')
  await other.agent.start('Go').settled

  const run = open(pages).agent.start('Go')

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/ask/page' }] })
})

it('has exactly one page perform it, the one that was used last', async () => {
  const { pages } = highlighting()
  const performed: string[] = []
  const first = open(pages)
  const run = first.agent.start('Go')
  await run.settled
  await Promise.all(['a', 'b', 'c'].map((name) => open(pages, () => performed.push(name)).agent.resume(run.id)))

  await untilSettled(run, 'answer')

  expect(performed).toHaveLength(1)
})

it.each(['readOnly', 'idempotent'] as const)('has the next page perform what is %s when one dies', async (effect) => {
  const { pages, told } = highlighting({ effect })
  const keys: string[] = []
  const note = (_: unknown, { idempotencyKey }: PageContext) => keys.push(idempotencyKey)
  const watching = open(pages)
  const first = open(pages, (input, context) => note(input, context) && never())
  const run = first.agent.start('Go')
  await expect.poll(() => keys).toHaveLength(1)
  const same = await watching.agent.resume(run.id)

  first.kill()
  await untilSettled(same, 'inputNeeded')
  await open(pages, (input, context) => `done ${note(input, context)}`).agent.resume(run.id)
  await untilSettled(same, 'answer')

  expect(told()).toContain('done 2')
  expect(new Set(keys).size).toBe(1)
})

it('asks a user when a page dies in the middle of what may not happen twice', async () => {
  const { pages } = highlighting({ effect: 'atMostOnce' })
  let performed = 0
  const watching = open(pages, () => ++performed)
  const dying = open(pages, () => ++performed && never())
  const run = dying.agent.start('Go')
  await expect.poll(() => performed).toBe(1)
  const same = await watching.agent.resume(run.id)

  dying.kill()
  await untilSettled(same, 'inputNeeded')
  const [ask] = same.state.asks
  if (ask) await same.reply(ask.id, 'done')
  await untilSettled(same, 'answer')

  expect(ask).toMatchObject({ id: '1/tool/0/interruption', prompt: expect.stringContaining('may already have run') })
  expect(performed).toBe(1)
})

it('does not take a call that waited for a page for one that may already have run', async () => {
  const [journal, copy] = [memoryJournal(), memoryJournal()]
  const before = open(highlighting({ effect: 'atMostOnce' }, { journal }).pages).agent.start('Go')
  await before.settled
  await copy.append(before.id, await journal.read(before.id))

  const { pages } = highlighting({ effect: 'atMostOnce' }, { journal: copy })
  const after = await open(pages, () => 'found').agent.resume(before.id)
  await untilSettled(after, 'answer')

  expect(after.state).toMatchObject({ toolCalls: 1, asks: [] })
})

it('notifies readers of its log before it asks a user, and continues with a leased page', async () => {
  const { pages, told } = highlighting()
  const leases = pageLeases.openLeases('r', 5_000)
  const [seen, posted] = [[] as string[], [] as unknown[]]
  const page: Page = new Page({
    ...{ tools: ['highlight'], models: [], shows: () => true },
    post(message) {
      posted.push(message)
      if (message.type === 'tool') page.receiveAnswer({ type: 'output', call: message.call, value: 'lent' })
    },
  })

  const run = open(pages).agent.start('Go', { id: 'r' })
  run.subscribe((event) => {
    seen.push(event.type)
    if (event.type === 'noted') setTimeout(() => leases.leasePage({ call: 'r/1/tool/0', tool: 'highlight' }, page))
  })
  await run.settled
  leases.closeLeases()

  expect(told()).toContain('lent')
  expect(posted).toMatchObject([{ type: 'tool', input: { text: 'Monday' }, idempotencyKey: 'r/1/tool/0' }])
  expect(seen.filter((type) => /noted|asked|withdrawn|claimed|observed/.test(type))).toEqual([
    'noted',
    'claimed',
    'observed',
  ])
})

it('asks a user if no page is leased in time, and continues with one that is leased later', async () => {
  const { pages, told } = highlighting()
  const leases = pageLeases.openLeases('s', 1)
  const run = open(pages).agent.start('Go', { id: 's' })
  const waits = await run.settled
  const page: Page = new Page({
    ...{ tools: ['highlight'], models: [], shows: () => true },
    post: ({ type, ...message }) =>
      type === 'tool' && page.receiveAnswer({ type: 'output', ...(message as Message), value: 'late' }),
  })

  leases.leasePage({ call: 's/1/tool/0', tool: 'highlight' }, page)
  await untilSettled(run, 'answer')
  leases.closeLeases()

  expect(waits).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/ask/page', pageFor: 'highlight' }] })
  expect(told()).toContain('late')
})

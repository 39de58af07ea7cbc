import { type ClientCall, type Page, pageRegistry } from '@interleave/connect/internal'
import { localHost } from '@interleave/core'
import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { ClientPages } from './clientPages.ts'

/** The pages of clients of a run, each with the calls that its streams have got. */
function setUp() {
  const host = manualHost()
  const pages = new ClientPages(host, 1_000)
  const runId = localHost.newId()
  const client = { runId, name: 'tab' }
  return {
    host,
    pages,
    client,
    connect(...tools: string[]) {
      const calls: ClientCall[] = []
      const ended = { times: 0 }
      const stream = { send: (call: ClientCall) => void calls.push(call), end: () => void ended.times++ }
      return { calls, ended, close: pages.connectClient({ ...client, tools }, stream) }
    },
    /** The page that has the tool, as a call of the run finds it. */
    pageWith: (tool: string): Page | undefined =>
      pageRegistry.findPage((page) => page.tools.has(tool) && page.shows(runId)),
    call: (page: Page | undefined, { signal } = new AbortController()) =>
      page?.callTool({ type: 'tool', name: 'new', input: {}, toolCallId: 't', runId, idempotencyKey: 'k' }, signal),
  }
}

it.each(['before', 'after'])(
  'takes answers of a client that came back with other tools %s its stream closed',
  async (when) => {
    const { host, pages, client, connect, pageWith, call } = setUp()
    const old = connect('old')
    if (when === 'before') old.close()
    const { calls } = connect('new')
    const answer = call(pageWith('new'))
    if (when === 'after') old.close()

    expect(pages.takeCall(client, calls[0]?.call ?? '')).toBe(true)
    await host.advance(14_000)

    expect(pageWith('old')).toBeUndefined()
    const output = { type: 'output', call: calls[0]?.call ?? '', value: 1 } as const
    expect(pages.receiveAnswer(client, output)).toBe(true)
    expect(await answer).toEqual(output)
  },
)

it('tells a client that had no stream which of its calls were aborted', async () => {
  const { connect, pageWith, call } = setUp()
  const over = new AbortController()
  const { calls, close } = connect('new')
  const answer = call(pageWith('new'), over)
  close()
  over.abort(new Error('Enough.'))
  expect(await answer).toMatchObject({ type: 'failed' })

  const next = connect('new')

  expect(next.calls).toMatchObject([{ type: 'abort', call: calls[0]?.call, error: { message: 'Enough.' } }])
})

it('repeats at most 100 aborts', () => {
  const { connect, pageWith, call } = setUp()
  connect('new').close()
  for (let i = 0; i < 150; i++) {
    const over = new AbortController()
    void call(pageWith('new'), over)
    over.abort()
  }

  expect(connect('new').calls).toHaveLength(100)
})

it.each([
  ['a call that it never takes', false, { type: 'untaken' }],
  ['a call that it runs', true, undefined],
] as const)('gives up a client whose stream is open and that is silent about %s', async (_, takes, outcome) => {
  const { host, pages, client, connect, pageWith, call } = setUp()
  const { calls, ended } = connect('new')
  const answer = call(pageWith('new'))
  await host.advance(14_000)
  const id = calls[0]?.call ?? ''
  if (takes) pages.takeCall(client, id)

  await host.advance(takes ? 14_000 : 0)
  const before = pageWith('new')
  await host.advance(1_000)

  expect(before).toBeDefined()
  expect(await answer).toEqual(outcome)
  expect(pageWith('new')).toBeUndefined()
  expect(pages.takeCall(client, id)).toBe(false)
  // It opens another one, if it is alive.
  expect(ended.times).toBe(1)
})

it('keeps a client that takes its call again and again', async () => {
  const { host, pages, client, connect, pageWith, call } = setUp()
  const { calls } = connect('new')
  const answer = call(pageWith('new'))
  const id = calls[0]?.call ?? ''

  for (let i = 0; i < 9; i++) {
    expect(pages.takeCall(client, id)).toBe(true)
    await host.advance(10_000)
  }
  const output = { type: 'output', call: id, value: 1 } as const
  pages.receiveAnswer(client, output)

  expect(await answer).toEqual(output)
  await host.advance(60_000)
  expect(pageWith('new')).toBeDefined()
})

it('keeps a client of which an older request arrives late, and ends', async () => {
  const { host, pages, client, connect, pageWith, call } = setUp()
  const read = connect('new')
  const late = connect('new')
  const answer = call(pageWith('new'))
  const id = read.calls[0]?.call ?? ''
  const isTaken = pages.takeCall(client, id)
  late.close()
  await host.advance(14_000)
  pages.takeCall(client, id)
  await host.advance(14_000)
  const output = { type: 'output', call: id, value: 1 } as const

  expect(isTaken).toBe(true)
  expect(pages.receiveAnswer(client, output)).toBe(true)
  expect(await answer).toEqual(output)
  expect(pageWith('new')).toBeDefined()
  read.close()
  await host.advance(15_000)
  expect(pageWith('new')).toBeUndefined()
})

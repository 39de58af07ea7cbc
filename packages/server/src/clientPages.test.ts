import { type ClientCall, type Page, pageRegistry } from '@interleave/connect/internal'
import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { ClientPages } from './clientPages.ts'

/** The pages of clients of a run, each with the calls that its streams have got. */
function setUp() {
  const host = manualHost()
  const pages = new ClientPages(host)
  const runId = host.newId()
  const client = { runId, name: 'tab' }
  return {
    host,
    pages,
    client,
    connect(...tools: string[]) {
      const calls: ClientCall[] = []
      return { calls, close: pages.connectClient({ ...client, tools }, (call) => calls.push(call)) }
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

    await host.advance(60_000)

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

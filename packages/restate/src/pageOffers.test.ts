import { Page, pageRegistry, type ToolCall } from '@interleave/connect/internal'
import type { Event } from '@interleave/core'
import { afterEach, expect, it } from 'vitest'
import { PageOffers } from './pageOffers.ts'
import type { CommandResult, SentCommand } from './sentCommand.ts'

/** An event without its stamp. */
type EventBody = Event extends infer E ? (E extends Event ? Omit<E, 'seq' | 'at' | 'iteration'> : never) : never

const toolCall: ToolCall = {
  ...{ type: 'tool', call: 'e', name: 'mark', input: { text: 'this' } },
  ...{ toolCallId: 'c', runId: 'r', idempotencyKey: 'r/1/tool/0' },
}
const wanted: EventBody = { type: 'noted', call: '1/tool/0', key: '1/tool/0/page', value: 'mark' }
const over: EventBody = { type: 'observed', call: '1/tool/0', result: { type: 'text', value: '' }, ms: 0 }
const later = () => new Promise((resolve) => setTimeout(resolve, 5))

const pages: Page[] = []
afterEach(() => pages.splice(0).map((page) => pageRegistry.removePage(page)))

/** Creates a page of this process, which records its calls. */
function open(tools = ['mark'], runId = 'r') {
  const posted: { readonly type: string; readonly call?: string }[] = []
  const page = new Page({ tools, models: [], shows: (id) => id === runId, post: (message) => posted.push(message) })
  pages.push(page)
  pageRegistry.addPage(page)
  const answer = (value: string) => page.receiveAnswer({ type: 'output', call: posted[0]?.call ?? '', value })
  return { page, posted, answer }
}

/** Follows a run elsewhere that answers like this. The test moves the time. */
function follow(told: CommandResult | Promise<CommandResult> = { length: 5, toolCall }) {
  const asked: SentCommand['command'][] = []
  const heartbeats: string[] = []
  const timers: (() => void)[] = []
  let id = 0
  const offers = new PageOffers({
    async ask(_, { command }) {
      asked.push(command)
      return command.type === 'lease' ? told : { length: 6 }
    },
    heartbeat: async (_, lease) => heartbeats.push(lease),
    host: {
      newId: () => `${id++}`,
      timer(_, callback) {
        timers.push(callback)
        return () => {}
      },
    },
  })
  let seq = 0
  const receive = (body: EventBody, at = seq++) =>
    offers.receiveEvent('r', { at: 0, iteration: 1, ...body, seq: at } as unknown as Event)
  return { asked, heartbeats, receive: receive, elapse: () => timers.splice(0).map((tick) => tick()) }
}

it('offers a page, has it do what is to be done, and tells what came of it', async () => {
  const { posted, answer } = open()
  const { asked, receive } = follow()

  receive(wanted)
  await later()
  answer('done')
  await later()

  expect(posted).toMatchObject([{ ...toolCall, call: expect.any(String) }])
  expect(asked).toEqual([
    { type: 'lease', call: 'r/1/tool/0', tool: 'mark' },
    { type: 'result', lease: '0', answer: { type: 'output', call: 'e', value: 'done' } },
  ])
})

it('offers none that shows another run or has another tool, and the one that comes', async () => {
  open(['mark'], 'other')
  open(['other'])
  const { asked, receive } = follow()
  receive(wanted)
  await later()
  const before = [...asked]

  open()
  await later()

  expect([before, asked.length]).toEqual([[], 1])
})

it('offers none to a call that is over by what else the log says', async () => {
  open()
  const { receive, asked } = follow()

  receive(wanted)
  receive(over)
  await later()

  expect(asked).toEqual([])
})

it('offers it again later where another one was taken, until the log says that none is wanted', async () => {
  open()
  const { asked, receive, elapse } = follow({ length: 5 })
  receive(wanted)
  for (let times = 0; times < 2; times++) {
    await later()
    elapse()
  }
  await later()
  receive({ type: 'claimed', call: '1/tool/0' })
  elapse()
  await later()

  expect(asked.map(({ type }) => type)).toEqual(['lease', 'lease', 'lease'])
})

it('offers nothing more to a run that refuses', async () => {
  open()
  const { asked, receive, elapse } = follow({ failure: { code: 'run_unknown', message: 'Gone.', retryable: false } })

  receive(wanted)
  await later()
  elapse()
  await later()

  expect(asked).toHaveLength(1)
})

it('tells that no one knows what came of it when the page goes away', async () => {
  const { page } = open()
  const { asked, receive } = follow()
  receive(wanted)
  await later()

  page.loseCalls()
  await later()

  expect(asked[1]).toEqual({ type: 'result', lease: '0' })
})

it('says that it is still at it, until it is done', async () => {
  const { answer } = open()
  const { heartbeats, receive, elapse } = follow()
  receive(wanted)
  await later()
  for (let times = 0; times < 2; times++) {
    elapse()
    await later()
  }
  answer('done')
  await later()
  elapse()
  await later()

  expect(heartbeats).toEqual(['0', '0'])
})

it('aborts in the page what is over, and tells no one: the run may rest by now', async () => {
  const { posted } = open()
  const { asked, receive } = follow()
  receive(wanted)
  await later()

  receive({ type: 'claimed', call: '1/tool/0' }, 4)
  receive(over, 5)
  await later()

  expect(posted.map(({ type }) => type)).toEqual(['tool', 'abort'])
  expect(asked).toHaveLength(1)
})

it('does not begin what the log said was over before it learned of it', async () => {
  const { posted } = open()
  const { asked, receive } = follow(
    later()
      .then(later)
      .then(() => ({ length: 5, toolCall })),
  )
  receive(wanted)
  await later()

  receive(over, 5)
  await later().then(later)

  expect([asked.length, posted]).toEqual([1, []])
})

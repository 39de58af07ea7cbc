import { type Agent, agent, type Run } from '@interleave/core'
import { agentTool, delegate, type ExternalTurn } from '@interleave/core/agents'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agUiHandler } from '../handler/agUiHandler.ts'
import { everyQuestion } from '../testing/everyQuestion.ts'
import { type AgUiAgentOptions, agUiAgent } from './agUiAgent.ts'

interface Body {
  readonly threadId: string
  readonly messages: readonly { readonly id: string; readonly content: string }[]
}

/** Agents behind AG-UI without a network between, and the requests that they have received. */
function remote(agents: readonly Agent[]) {
  const handle = agUiHandler({ agents, journal: memoryJournal(), authorize: () => 'ada' })
  const bodies: Body[] = []
  const fetch: AgUiAgentOptions['fetch'] = (url, init) => {
    bodies.push(JSON.parse(String(init.body)))
    return handle(new Request(url, init))
  }
  return { bodies, options: { url: 'https://example.com/agents/guide', fetch } }
}
const delegating = (options: AgUiAgentOptions): Agent =>
  agent({ name: 'planner', backend: delegate(agUiAgent(options)) })

/** The replies of a user to the questions of `everyQuestion`. */
const replies = [true, '20:30', ['cake'], 'please', { name: 'Ada' }, 'done', true]
const booking = { people: 2, at: '20:30', extras: ['cake'], word: 'please', name: 'Ada', sure: true }

/** Replies to each question as it comes. `reopen` makes another run object before each. */
async function replyAll(run: Run, reopen: (run: Run) => Promise<Run> = async (same) => same): Promise<Run> {
  for (const reply of replies) {
    expect((await run.settled).type).toBe('inputNeeded')
    run = await reopen(run)
    await run.reply(run.state.asks[0]?.id ?? '', reply)
  }
  await run.settled
  return run
}

it('streams what the agent does, asks its questions, and answers as it does', async () => {
  const booked: unknown[] = []
  const { options } = remote([everyQuestion(booked)])
  const run = delegating(options).start('A table')
  const kinds: string[] = []
  run.subscribe((event) => event.type === 'asked' && kinds.push(`${event.ask.kind} ${event.ask.asker}`))
  await replyAll(run)

  expect(run.state.signal).toEqual({ type: 'answer', output: 'I book.See you.', reason: 'text' })
  expect(booked).toEqual([booking])
  expect(kinds).toEqual(
    ['confirm', 'choice', 'choices', 'text', 'form', 'choice', 'confirm'].map((kind) => `${kind} example.com`),
  )
  const turn = run.state.history.flat().find((entry) => entry.type === 'turn')
  expect(turn).toMatchObject({ model: { provider: 'external', modelId: 'guide' } })
  expect(turn?.type === 'turn' && turn.parts).toMatchObject([
    ...[{ type: 'reasoning' }, { type: 'text', text: 'I book.' }],
    ...[{ type: 'tool-call', toolName: 'book', input: { people: 2 } }, { type: 'reasoning' }],
    ...[{ type: 'text', text: 'See you.' }, { type: 'tool-result' }],
  ])
})

it('continues after a reload at each question, and books once', async () => {
  const booked: unknown[] = []
  const { options, bodies } = remote([everyQuestion(booked)])
  const journal: Journal = memoryJournal()
  const first = delegating(options).start('A table', { journal })
  const run = await replyAll(first, ({ id }) => delegating(options).resume(id, { journal }))

  expect(run.state.signal).toMatchObject({ type: 'answer' })
  expect(booked).toEqual([booking])
  expect(new Set(bodies.map(({ threadId, messages }) => `${threadId} ${messages.at(-1)?.id}`)).size).toBe(1)
})

it('cancels an interrupt that the user declines', async () => {
  const { options } = remote([everyQuestion()])
  const run = delegating(options).start('A table')
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { $reply: 'declined' })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'I book.See you.' })
})

it('keeps one thread for a conversation, and names each message once', async () => {
  const { options, bodies } = remote([agent({ name: 'guide', model: scriptedModel('One.', 'Two.') })])
  const run = delegating(options).start('First')
  await run.settled
  await run.say('Second')

  expect(await run.settled).toMatchObject({ output: 'Two.' })
  expect(new Set(bodies.map(({ threadId }) => threadId)).size).toBe(1)
  expect(bodies[1]?.messages.map(({ content }) => content)).toEqual(['First', 'One.', 'Second'])
  expect(bodies[1]?.messages.at(-1)?.id).not.toBe(bodies[0]?.messages.at(-1)?.id)
})

/** Starts a turn, and leaves its page in the middle. */
async function interrupted(model: ReturnType<typeof manualModel>, options: AgUiAgentOptions, journal: Journal) {
  const { id, state } = delegating(options).start('Go', { journal })
  await model.called(1)
  expect(state).toBeDefined()
  return id
}

it('asks the user before it asks an agent again that was interrupted', async () => {
  const model = manualModel()
  const { options, bodies } = remote([agent({ name: 'guide', model })])
  const journal = memoryJournal()
  const id = await interrupted(model, options, journal)
  const run = await delegating(options).resume(id, { journal })
  await run.settled

  expect(run.state.asks).toMatchObject([{ prompt: expect.stringContaining('may already have done a part') }])
  await run.reply(run.state.asks[0]?.id ?? '', 'stop')
  expect(await run.settled).toMatchObject({ type: 'failed' })
  expect(bodies).toHaveLength(1)
})

it('asks an idempotent agent again by itself, which does nothing twice', async () => {
  const model = manualModel()
  const { options, bodies } = remote([agent({ name: 'guide', model })])
  const journal = memoryJournal()
  const id = await interrupted(model, { ...options, idempotent: true }, journal)
  const run = await delegating({ ...options, idempotent: true }).resume(id, { journal })
  await expect.poll(() => bodies.length).toBe(2)
  model.say('Hello.')
  model.end()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello.' })
  expect(model.calls).toHaveLength(1)
})

it('ends the request when the run is stopped', async () => {
  const model = manualModel()
  const { options } = remote([agent({ name: 'guide', model })])
  let signal: AbortSignal | null | undefined
  const fetch: AgUiAgentOptions['fetch'] = (url, init) => {
    signal = init.signal
    return options.fetch?.(url, init) as Promise<Response>
  }
  const run = delegating({ ...options, fetch }).start('Go')
  await model.called(1)
  await run.stop()

  expect(signal?.aborted).toBe(true)
  expect(run.state.signal).toMatchObject({ type: 'stopped' })
})

it('is a tool of another agent, whose user answers its questions', async () => {
  const booked: unknown[] = []
  const { options } = remote([everyQuestion(booked)])
  const help = agentTool(delegating(options), { description: 'Books tables.' })
  const model = scriptedModel({ calls: [{ name: 'help', input: { task: 'A table' } }] }, 'Done.')
  const run = await replyAll(agent({ name: 'boss', model, tools: { help } }).start('Go'))

  expect(run.state.signal).toMatchObject({ output: 'Done.' })
  expect(booked).toEqual([booking])
})

const sseHeaders = { headers: { 'content-type': 'text/event-stream' } }
const sse = (...events: readonly object[]): Response =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), sseHeaders)
const interrupting = (interrupts: unknown): object => ({
  type: 'RUN_FINISHED',
  outcome: { type: 'interrupt', interrupts },
})
const asks = (responseSchema: object) => () => sse(interrupting([{ id: 'a', reason: 'x', responseSchema }]))
const withFields = (properties: object): object => ({ type: 'object', properties })

it.each([
  ['no stream', () => Response.json({}), 'no event stream'],
  ['a failure', () => new Response('No.', { status: 500 }), 'the status 500: No.'],
  ['a redirect', () => new Response(null, { status: 302 }), 'a redirect. Give the `url` that it leads to.'],
  ['a failure without words', () => new Response(null, { status: 500 }), 'the status 500.'],
  ['half an event', () => new Response('data: {\n\n', sseHeaders), 'sent an event that cannot be read (This is not'],
  ['half a run', () => sse({ type: 'RUN_STARTED' }), 'ended before the run'],
  ['an error', () => sse({ type: 'RUN_ERROR', message: 'Too late.' }), 'Too late.'],
  ['what is not an event', () => sse([]), 'something that is not an event'],
  ['an event without its members', () => sse({ type: 'TOOL_CALL_START', toolCallId: 'a' }), 'without a "toolCallName"'],
  ['no question', () => sse(interrupting([])), '0 interrupts'],
  ['too many questions', () => sse(interrupting(Array.from({ length: 21 }, () => ({})))), '21 interrupts'],
  ['a question without words', () => sse(interrupting([{ id: 'a' }])), 'cannot be shown'],
  ['a field for a secret', asks(withFields({ a: { type: 'string', format: 'password' } })), 'a secret ("a")'],
  ['a field with the name of a secret', asks(withFields({ apiKey: { type: 'string' } })), 'a secret ("apiKey")'],
  ['a question for a secret', asks({ type: 'string', format: 'password' }), 'a secret'],
  ['a question with the title of a secret', asks({ type: 'string', title: 'Your password' }), 'a secret'],
  ['a field that cannot be shown', asks(withFields({ a: withFields({}) })), 'of no known kind'],
  ['a question that cannot be shown', asks({ type: 'array', items: { type: 'object' } }), 'of no known kind'],
  [
    'a call of the front end',
    () => sse({ type: 'RUN_FINISHED', outcome: { type: 'success', pendingToolCallIds: ['a'] } }),
    'a front-end tool',
  ],
])('fails for an agent that sends %s', async (_, respond, words) => {
  const run = delegating({ url: 'https://example.com/a', fetch: async () => respond() }).start('Go')
  const signal = await run.settled

  expect(signal.type === 'failed' && signal.error.message).toContain(words)
})

it.each([
  ['a number', { type: 'integer', maximum: 9 }, { answer: 12 }, { answer: 5 }, 5],
  ['a text', { type: 'string', minLength: 2 }, 'a', 'ab', 'ab'],
  ['a text or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, 'ab', 'ab'],
  ['anything', {}, 5, 'ab', 'ab'],
  ['one of two', { enum: ['a', 'b'] }, 'c', 'b', 'b'],
  ['some of two', { type: 'array', items: { enum: ['a', 'b'] } }, ['c'], ['b'], ['b']],
  ['fields', withFields({ n: { type: 'number' } }), 'x', { n: 5 }, { n: 5 }],
] as const)(
  'sends the answer to a question for %s as its schema says',
  async (_, responseSchema, wrong, right, payload) => {
    const bodies: { resume?: unknown }[] = []
    const fetch: AgUiAgentOptions['fetch'] = async (_url, { body }) => {
      const length = bodies.push(JSON.parse(String(body)))
      return length === 1 ? asks(responseSchema)() : sse({ type: 'RUN_FINISHED' })
    }
    const run = delegating({ url: 'https://example.com/a', fetch }).start('Go')
    await run.settled
    const id = run.state.asks[0]?.id ?? ''
    await expect(run.reply(id, wrong)).rejects.toMatchObject({ code: 'reply_invalid' })
    await run.reply(id, right)
    await run.settled

    expect(bodies[1]?.resume).toEqual([{ interruptId: 'a', status: 'resolved', payload }])
  },
)

it('reads chunks, foreign messages and calls that are never ended', async () => {
  const events = [
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'a', role: 'assistant', delta: 'Hel' },
    { type: 'TEXT_MESSAGE_START', messageId: 'u', role: 'user' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'u', delta: 'Not mine.' },
    { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'look', delta: '{"a":' },
    { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', delta: '1}' },
    { type: 'UNKNOWN_TO_US' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: 'lo' },
    { type: 'RUN_FINISHED', usage: [{ inputTokens: 7, outputTokens: 2 }, { outputTokens: -1 }] },
  ]
  const run = delegating({ url: 'https://example.com/a', fetch: async () => sse(...events) }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello' })
  expect(run.state.usage).toMatchObject({ inputTokens: 7, outputTokens: 2 })
  expect(JSON.stringify(run.log)).toContain('"input":{"a":1}')
})

it('says how to fix its options', () => {
  expect(() => agUiAgent({ url: '/agents/guide' })).toThrow('`url`')
  expect(() => agUiAgent({ url: 'https://example.com', header: {} } as never)).toThrow('header')
})

it.each(['thread-7', '{"threadId":"t"}', 'null'])('refuses the session %s of another agent', async (sessionId) => {
  const turn = { sessionId, resumed: false, messages: [], news: [] } as Partial<ExternalTurn> as ExternalTurn

  await expect(async () => {
    for await (const _ of agUiAgent({ url: 'https://edge.test/agents/planner' }).run(turn)) break
  }).rejects.toThrow('The log has a session of another agent as that of "planner". Rename one of them.')
})

import type { HttpAgent } from '@ag-ui/client'
import type { RunAgentInput } from '@ag-ui/core'
import { agent, localHost, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { clientTool } from '@interleave/server'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { AgUiEvent } from '../protocol.ts'
import { booking, everyQuestion, payloads } from '../testing/everyQuestion.ts'
import { clientOf, type Served, say, serve } from '../testing/serve.ts'
import { agUiHandler } from './agUiHandler.ts'

const open: Served[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})
async function serving(...options: Parameters<typeof serve>): Promise<Served> {
  const server = await serve(...options)
  open.push(server)
  return server
}

const textsOf = ({ messages }: Pick<HttpAgent, 'messages'>) =>
  messages.flatMap(({ role, content }) => (role === 'reasoning' ? [] : [`${role}: ${content ?? ''}`]))

/** Answers the interrupts of a client with one payload. */
const resolving = (client: HttpAgent, payload: unknown) => ({
  resume: client.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'resolved' as const, payload })),
})

it('talks to the official client, asks it every kind of question, and books once', async () => {
  const booked: unknown[] = []
  const client = clientOf(await serving({ agents: [everyQuestion(booked)] }))
  say(client, 'A table')
  await client.runAgent()
  for (const payload of payloads) {
    expect(client.pendingInterrupts).toHaveLength(1)
    await client.runAgent(resolving(client, payload))
  }

  expect(client.pendingInterrupts).toEqual([])
  expect(booked).toEqual([booking])
  expect(textsOf(client)).toEqual(['user: A table', 'assistant: I book.', 'tool: Booked for 3.', 'assistant: See you.'])
})

it('continues a thread with what the user says, in another process too', async () => {
  const journal = memoryJournal()
  const make = () => agent({ name: 'guide', model: scriptedModel(({ prompt }) => `Answer ${prompt.length}.`) })
  const first = await serving({ agents: [make()], journal })
  const client = clientOf(first)
  say(client, 'One')
  await client.runAgent()
  const second = await serving({ agents: [make()], journal })
  client.url = second.url
  say(client, 'Two')
  await client.runAgent()

  expect(textsOf(client)).toEqual(['user: One', 'assistant: Answer 1.', 'user: Two', 'assistant: Answer 3.'])
})

it('counts each message of a request as one, and says none of too many', async () => {
  const model = scriptedModel(() => 'Hello.')
  const server = await serving({ agents: [agent({ name: 'guide', model })], limits: { requests: 10 } })
  const client = clientOf(server)
  for (let i = 0; i < 20; i++) say(client, 'Again')

  const errors: string[] = []
  await client.runAgent({}, { onRunErrorEvent: ({ event }) => void errors.push(event.message) })

  expect(errors).toEqual([expect.stringContaining('10 requests in a minute are allowed')])
  expect(model.calls).toHaveLength(0)
  expect(await server.journal.list()).toEqual([])
})

it('sends heartbeats also after the clock was set back', async () => {
  let back = 0
  const host = { ...localHost, now: () => localHost.now() - back }
  const model = scriptedModel(() => new Promise<string>(() => {}))
  const handle = agUiHandler({
    ...{ agents: [agent({ name: 'guide', model })], journal: memoryJournal(), authorize: () => 'ada', host },
    limits: { heartbeatMs: 20 },
  })
  const messages = [{ id: 'm', role: 'user', content: 'Go' }]
  const body = JSON.stringify({ threadId: crypto.randomUUID(), runId: 'r', messages })
  const headers = { 'content-type': 'application/json' }
  const response = await handle(new Request('https://edge.test/guide', { method: 'POST', headers, body }))

  let heartbeats = 0
  for await (const bytes of response.body ?? []) {
    if (!new TextDecoder().decode(bytes).startsWith(':')) continue
    back = 3_600_000
    if (++heartbeats === 3) break
  }
  expect(heartbeats).toBe(3)
})

it('does nothing twice for a request that is sent twice, and shows the same', async () => {
  const booked: unknown[] = []
  const server = await serving({ agents: [everyQuestion(booked)] })
  const client = clientOf(server)
  const requests: RequestInit[] = []
  client.fetch = (url, init) => {
    requests.push(init)
    return fetch(url, init)
  }
  say(client, 'A table')
  await client.runAgent()
  for (const payload of payloads) await client.runAgent(resolving(client, payload))
  const ends: AgUiEvent[] = []
  for (const request of requests) {
    const { signal: _, ...again } = request
    const events = await eventsOf(await fetch(server.url, again))
    expect(events[0]).toMatchObject({ type: 'RUN_STARTED' })
    ends.push(...events.slice(-1))
  }

  expect(ends.map((event) => event.type === 'RUN_FINISHED' && event.outcome)).toEqual(
    requests.map(() => ({ type: 'success' })),
  )
  expect(booked).toHaveLength(1)
})

const eventsOf = async (response: Response): Promise<AgUiEvent[]> =>
  (await response.text())
    .split('\n\n')
    .flatMap((frame) => (frame.startsWith('data: ') ? [JSON.parse(frame.slice(6))] : []))

function post(url: string, input: Partial<RunAgentInput>, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ threadId, runId: 'run', messages: [], tools: [], context: [], ...input })
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
}
const threadId = 'thread-of-at-least-22-characters'
const user = (id: string, content: string) => ({ id, role: 'user' as const, content })

it('gives a client without messages all of them, and the open question', async () => {
  const server = await serving({ agents: [everyQuestion()] })
  await (await post(server.url, { messages: [user('m', 'A table')] })).text()
  const client = clientOf(server, { threadId })
  await client.runAgent()

  expect(textsOf(client)).toEqual(['user: A table', 'assistant: I book.'])
  expect(client.pendingInterrupts).toMatchObject([{ reason: 'tool_call', message: 'Allow book?\n\nbook {"people":2}' }])
})

it('lets a client that has lost its stream follow the turn that streams', async () => {
  const model = manualModel()
  const server = await serving({ agents: [agent({ name: 'guide', model })] })
  const client = clientOf(server)
  say(client, 'Hello')
  const first = client.runAgent()
  await model.called(1)
  model.say('Hel')
  await expect.poll(() => textsOf(client)).toContain('assistant: Hel')
  client.abortRun()
  await first
  const second = client.runAgent()
  await expect.poll(() => textsOf(client)).toEqual(['user: Hello', 'assistant: Hel'])
  model.say('lo')
  model.end()
  await second

  expect(textsOf(client)).toEqual(['user: Hello', 'assistant: Hello'])
  expect(model.calls).toHaveLength(1)
})

it('stops the run of a client that aborts, if the app wants that', async () => {
  const model = manualModel()
  const server = await serving({ agents: [agent({ name: 'guide', model })], stopOnAbort: true })
  const client = clientOf(server)
  say(client, 'Hello')
  const first = client.runAgent()
  await model.called(1)
  model.say('Hel')
  await expect.poll(() => textsOf(client)).toContain('assistant: Hel')
  client.abortRun()
  await first

  await expect
    .poll(async () => (await server.journal.read(`ada/${client.threadId}`)).at(-1))
    .toMatchObject({
      signal: { type: 'stopped' },
    })
  expect(await eventsOf(await post(server.url, { threadId: client.threadId }))).toMatchObject([
    {},
    {},
    { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } },
  ])
})

it('takes a cancelled interrupt for a refusal, or for the end', async () => {
  const cancel = (client: HttpAgent) => ({
    resume: client.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'cancelled' as const })),
  })
  const server = await serving({ agents: [everyQuestion()] })
  const refusing = clientOf(server)
  say(refusing, 'A table')
  await refusing.runAgent()
  await refusing.runAgent(cancel(refusing))
  const ending = clientOf(server)
  say(ending, 'A table')
  await ending.runAgent()
  await ending.runAgent(resolving(ending, { approved: true }))
  const outcomes: unknown[] = []
  await ending.runAgent(cancel(ending), {
    onRunFinishedEvent: ({ event }) => void outcomes.push(event.outcome),
  })

  expect(textsOf(refusing).at(-1)).toBe('assistant: See you.')
  expect(textsOf(refusing)).toContain('tool: The user has cancelled it.')
  expect(outcomes).toEqual([{ type: 'cancelled' }])
})

it('reports what is wrong with an answer as RUN_ERROR, and the question stays open', async () => {
  const server = await serving({ agents: [everyQuestion()] })
  const asked = await eventsOf(await post(server.url, { messages: [user('m', 'A table')] }))
  const last = asked.at(-1)
  const [interrupt] = last?.type === 'RUN_FINISHED' && last.outcome.type === 'interrupt' ? last.outcome.interrupts : []
  const answer = async (input: Partial<RunAgentInput>) => (await eventsOf(await post(server.url, input))).at(-1)
  const resume = (interruptId: string, payload: unknown) => ({
    resume: [{ interruptId, status: 'resolved' as const, payload }],
  })

  expect(await answer(resume(`${interrupt?.id}`, { approved: 'yes' }))).toMatchObject({ code: 'reply_invalid' })
  expect(await answer(resume('nothing@3', true))).toMatchObject({ type: 'RUN_ERROR', code: 'ask_unknown' })
  expect(await answer({ messages: [user('m', 'A table'), user('n', 'Hurry')] })).toMatchObject({
    code: 'run_busy',
    message: expect.stringContaining('"Allow book?"'),
  })
  expect(await answer({})).toMatchObject({ outcome: { type: 'interrupt', interrupts: [interrupt] } })
})

it('resumes a run that has failed, without saying anything again', async () => {
  let calls = 0
  const model = scriptedModel(() => (++calls === 1 ? new Error('No key.') : 'Hello.'))
  const server = await serving({ agents: [agent({ name: 'guide', model })] })
  const input = { messages: [user('m', 'Hi')] }
  const failed = await eventsOf(await post(server.url, input))
  const again = await eventsOf(await post(server.url, input))

  expect(failed.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'model_failed' })
  expect(again.at(-1)).toMatchObject({ type: 'RUN_FINISHED', result: 'Hello.' })
})

it('takes the result of a tool of the front end with the next request', async () => {
  const inputSchema = z.object({ place: z.string() })
  const show = clientTool({ description: 'Shows a place.', inputSchema, outputSchema: z.object({ zoom: z.number() }) })
  const model = scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool'
      ? JSON.stringify(prompt.at(-1)?.content)
      : { calls: ['Porto', 'Braga'].map((place) => ({ name: 'show', input: { place } })) },
  )
  const client = clientOf(await serving({ agents: [agent({ name: 'guide', model, tools: { show } })] }))
  const tools = [{ name: 'show', description: 'Shows a place.', parameters: {} }]
  say(client, 'Where is it?')
  const pending: string[][] = []
  const input = { tools }
  const subscriber = {
    onRunFinishedEvent: ({ event }: { event: { outcome?: { type: string; pendingToolCallIds?: string[] } } }) =>
      void pending.push(event.outcome?.pendingToolCallIds ?? []),
  }
  await client.runAgent(input, subscriber)
  for (const [index, id] of (pending[0] ?? []).entries()) {
    client.addMessage({
      id: `result-${id}`,
      role: 'tool',
      toolCallId: id,
      content: JSON.stringify({ zoom: 7 + index }),
    })
  }
  await client.runAgent(input, subscriber)

  expect(pending).toEqual([['1/tool/0', '1/tool/1'], []])
  expect(textsOf(client).at(-1)).toMatch(/"zoom":7.*"zoom":8/)
})

it('asks the user where the front end does not have the tool', async () => {
  const show = clientTool({ description: 'Shows.', inputSchema: z.object({}) })
  const model = scriptedModel({ calls: [{ name: 'show', input: {} }] }, 'Then not.')
  const client = clientOf(await serving({ agents: [agent({ name: 'guide', model, tools: { show } })] }))
  say(client, 'Show it')
  await client.runAgent()

  expect(client.pendingInterrupts).toMatchObject([{ responseSchema: { oneOf: [{ const: 'skip' }] } }])
  await client.runAgent(resolving(client, 'skip'))
  expect(textsOf(client).at(-1)).toBe('assistant: Then not.')
})

it('holds requests to their shape and size before it does anything', async () => {
  const server = await serving({ agents: [everyQuestion()], limits: { bodyBytes: 2_000 } })
  const send = async (input: object) => {
    const response = await post(server.url, input)
    return { status: response.status, ...((await response.json()) as object) }
  }

  expect(await send({ threadId: 'short' })).toMatchObject({
    status: 400,
    detail: expect.stringContaining('"threadId"'),
  })
  expect(await send({ messages: [{ id: 'm', role: 'user', content: [{ type: 'image', source: {} }] }] })).toMatchObject(
    {
      status: 400,
      detail: expect.stringContaining('"messages.0.content.0.source.type"'),
    },
  )
  expect(await send({ messages: [user('m', 'x'.repeat(2_000))] })).toMatchObject({ status: 413 })
  expect((await fetch(server.url)).status).toBe(405)
})

it('answers whatever is sent with what is wrong with it', async () => {
  const server = await serving({ agents: [everyQuestion()] })
  await (await post(server.url, { messages: [user('m', 'A table')] })).text()
  const entry = (interruptId: string) => ({ interruptId, status: 'resolved', payload: { approved: true } })
  const bodies: object[] = [
    { messages: [null] },
    { messages: [{ id: 'x', role: '__proto__' }] },
    { messages: [{ id: 'x', role: 'tool', toolCallId: '1/tool/0', content: '[[[[' }] },
    { messages: [{ id: 'x', role: 'assistant', content: 7, toolCalls: 'none' }] },
    { messages: [{ id: '1/text', role: 'assistant', content: null, toolCalls: [null] }] },
    {
      messages: [
        { id: 'x', role: 'user', content: [{ type: 'document', source: { type: 'url', value: 'javascript:1' } }] },
      ],
    },
    ...['@', 'x@1e3', '1/tool/0/approval@-1', '1/tool/0/approval@3.5', '1/tool/0/approval@0', '__proto__@3'].map(
      (id) => ({
        resume: [entry(id)],
      }),
    ),
    { resume: [{ interruptId: 'x@1', status: 'done' }] },
    { resume: null, tools: null, parentRunId: null },
    { threadId: 'another-thread-of-22-letters', resume: [entry('x@1')] },
    { threadId: 'another-thread-of-22-letters' },
    { tools: [{}] },
  ]
  const ends = await Promise.all(
    bodies.map(async (body) => {
      const response = await post(server.url, body)
      return response.ok ? (await eventsOf(response)).at(-1)?.type : response.status
    }),
  )

  expect(ends).toEqual([
    ...[400, 'RUN_FINISHED', 'RUN_FINISHED', 'RUN_FINISHED', 'RUN_FINISHED', 'RUN_ERROR'],
    ...Array.from({ length: 6 }, () => 'RUN_ERROR'),
    ...[400, 'RUN_FINISHED', 'RUN_ERROR', 'RUN_ERROR', 400],
  ])
  expect(await server.journal.read(`ada/${threadId}`)).toHaveLength(5)
})

it('keeps the threads of users apart, and asks the app about each action', async () => {
  const asked: string[] = []
  const server = await serving({
    agents: [agent({ name: 'guide', model: scriptedModel('Hello, Ada.', 'Hello, Bob.') })],
    authorize: ({ headers }, { action, runId }) => {
      asked.push(`${action} ${runId === threadId}`)
      return headers.get('x-user') === 'eve' ? undefined : (headers.get('x-user') ?? undefined)
    },
  })
  const input = { messages: [user('m', 'Hi')] }
  const end = async (name: string) => {
    const response = await post(server.url, input, { 'x-user': name })
    return response.ok ? (await eventsOf(response)).at(-1) : response.status
  }

  expect(await end('ada')).toMatchObject({ result: 'Hello, Ada.' })
  expect(await end('bob')).toMatchObject({ result: 'Hello, Bob.' })
  expect(await end('eve')).toBe(401)
  expect(asked.slice(0, 2)).toEqual(['read false', 'start true'])
})

it('says how to fix what it cannot serve', async () => {
  const look = tool({ inputSchema: z.object({}), execute: () => 'seen' })
  const agents = ['a', 'b'].map((name) => agent({ name, model: scriptedModel('Hi.'), tools: { look } }))
  const options = { agents, journal: memoryJournal(), authorize: () => 'ada' }
  const handle = agUiHandler(options)
  const response = await handle(new Request('https://example.com/agents/c', { method: 'POST' }))

  expect(response.status).toBe(404)
  expect(() => agUiHandler({ ...options, stopOnAbrot: true } as never)).toThrow('stopOnAbort')
})

it('serves the routes of createHandler for the same runs, if it has a secret', async () => {
  const agents = [agent({ name: 'guide', model: scriptedModel('Hello.') })]
  const server = await serving({ agents, secret: 'a secret of 32 bytes, or of more.' })
  await (await post(server.url, { messages: [user('m', 'Hi')] })).text()
  const listed = await (await fetch(new URL('/v1/runs', server.url))).json()

  expect(listed).toMatchObject({ runs: [{ runId: threadId, agent: 'guide' }] })
  const permissions = await (await fetch(new URL('/v1/permissions?agent=guide', server.url))).json()
  expect(permissions.detail).toContain('`permissionStore`')
})

import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { acrossTabs } from '@interleave/connect/tabs'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import type { EventBody } from '../event.ts'
import { messagesOf, pastRun } from '../history/index.ts'
import { type Agent, agent, approval, confirm, type Event, type Json, type Run, reasonAct, tool } from '../index.ts'
import { noUsage } from '../usage.ts'
import { exportRun, fork, importRun, type Journal, memoryJournal, type RunFile } from './index.ts'

/** Creates a log by hand, as a foreign program may write one. */
function handmade(bodies: readonly EventBody[], runId = 'r'): Event[] {
  let iteration = 0
  return [{ type: 'started', runId, agent: 'a', version: '1' } as const, ...bodies].map((body, seq) => {
    if (body.type === 'thought') iteration++
    return { seq, at: 1000 + seq, iteration, ...body }
  })
}
const fileOf = (events: readonly Event[], more: object = {}) => ({
  format: 'interleave.debug',
  formatVersion: 1,
  events,
  ...more,
})

const call = '1/tool/0'
const said: EventBody = { type: 'said', by: 'user', content: 'Book it' }
const thought = (input: Json = { euros: 5 }): EventBody => ({
  type: 'thought',
  model: { provider: 'p', modelId: 'm' },
  parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 'book', input }],
  usage: noUsage,
  ms: 1,
  readUntil: 2,
})
const approvalAsk = {
  kind: 'approval',
  id: `${call}/approval`,
  call,
  prompt: 'Allow book?',
  tool: 'book',
  input: { euros: 0 },
  schema: {},
} as const
const asked: EventBody = { type: 'asked', ask: approvalAsk }
const settled: EventBody = { type: 'settled', signal: { type: 'inputNeeded', asks: [approvalAsk] } }
const replied: EventBody = { type: 'replied', ask: `${call}/approval`, value: { approved: true } }
const called: EventBody = { type: 'claimed', call }
const noted = (key: string, value: Json): EventBody => ({ type: 'noted', call, key, value })
const imported: EventBody = { type: 'imported' }
const failure = { code: 'model_failed', message: 'Busy.', retryable: true } as const
const resumed: EventBody = { type: 'resumed' }

/** An agent that books where it is allowed, and what it and its model did. */
function booking({ isAsked = true } = {}) {
  const booked: unknown[] = []
  const book = tool({
    inputSchema: z.object({ euros: z.number() }),
    approve: isAsked ? approval() : undefined,
    execute: ({ euros }) => `Booked ${booked.push(euros)}`,
  })
  const model = scriptedModel('Done.', 'Done.')
  return { booked, model, agent: agent({ name: 'a', model, tools: { book } }) }
}

async function opened(file: unknown, handle: Agent): Promise<{ run: Run; journal: Required<Journal>; id: string }> {
  const journal = memoryJournal()
  const id = await importRun(file, { journal })
  return { run: await handle.resume(id, { journal }), journal, id }
}

/** Everything that could go on by itself has done so. */
const idle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const logs: readonly [string, readonly EventBody[]][] = [
  ['a message', [said]],
  ['a call', [said, thought()]],
  ['an open question', [said, thought(), asked, settled]],
  ['an approval', [said, thought(), asked, settled, replied]],
  ['an approval that nobody asked for', [said, thought(), noted(`${call}/approval`, { approved: true })]],
  ['a begun call', [said, thought(), asked, replied, called]],
  ['a begun call that is to run again', [said, thought(), called, noted(`${call}/interruption`, 'again')]],
  ['a call that was released', [said, thought(), called, { type: 'released', call }]],
  ['a limit that was extended', [said, thought(), asked, replied, resumed]],
  ['an import of its own', [said, thought(), asked, replied, imported]],
  ['events after an import', [said, thought(), asked, settled, imported, resumed, asked, replied]],
]

it.each(logs)('row 21: does nothing with the log of a file that ends with %s', async (_, bodies) => {
  const { agent: a, booked, model } = booking()

  const { run, journal, id } = await opened(fileOf(handmade(bodies)), a)
  await idle()

  expect(run.state.signal).toMatchObject({ type: 'stopped', cause: 'imported' })
  expect(run.state.asks).toEqual([])
  expect([booked, model.calls]).toEqual([[], []])
  expect(await journal.read(id)).toHaveLength(run.state.seq)
  expect(messagesOf(await journal.read(id)).at(-1)).toMatchObject({ type: 'settled', signal: { cause: 'imported' } })
  expect((await journal.list())[0]).toMatchObject({ signal: 'stopped' })
})

it('row 21: shows no question of a file as open, also of a run that failed', async () => {
  const { agent: a } = booking()
  const failed: EventBody = { type: 'settled', signal: { type: 'failed', error: failure } }

  const { run } = await opened(fileOf(handmade([said, thought(), asked, settled, resumed, failed])), a)

  expect(run.state).toMatchObject({ signal: { type: 'failed' }, asks: [] })
  expect(messagesOf(run).filter(({ type }) => type === 'question')).toMatchObject([{ isOpen: false }])
})

it.each(logs.slice(1))('row 21: asks everything again once a user continues %s', async (_, bodies) => {
  const { agent: a, booked } = booking()
  const { run } = await opened(fileOf(handmade(bodies)), a)

  run.resume()
  const signal = await run.settled

  expect(signal).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'approval', input: { euros: 5 } }] })
  expect(booked).toEqual([])
  await run.reply(`${call}/approval`, { approved: true })
  const then = await run.settled
  if (bodies.includes(called)) expect(then).toMatchObject({ asks: [{ id: `${call}/interruption` }] })
  else expect(booked).toEqual([5])
})

it('asks about a begun call even if its tool needs no approval', async () => {
  const { agent: a, booked } = booking({ isAsked: false })
  const log = handmade([said, thought(), called, { type: 'released', call }, noted(`${call}/interruption`, 'again')])
  const { run } = await opened(fileOf(log), a)

  run.resume()

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: `${call}/interruption` }] })
  expect(booked).toEqual([])
})

it('gives up an open call when the user says something else', async () => {
  const { agent: a, booked } = booking()
  const { run } = await opened(fileOf(handmade([said, thought(), asked, settled, replied])), a)

  await run.say('Never mind')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(booked).toEqual([])
})

it('keeps the answer that a run settled with, and what it said', async () => {
  const { agent: a } = booking()
  const answer: EventBody = { type: 'settled', signal: { type: 'answer', output: 'Hi.', reason: 'text' } }

  const { run } = await opened(fileOf(handmade([said, answer])), a)

  expect(run.state.signal).toMatchObject({ type: 'answer', output: 'Hi.' })
})

it('does nothing where several pages share the run, either', async () => {
  const { agent: a, booked, model } = booking()
  const journal = memoryJournal()
  const id = await importRun(fileOf(handmade([said, thought(), asked, settled, replied])), { journal })

  const run = await acrossTabs(a, { journal, origin: fakeBrowser(journal, async () => {}).openTab().origin }).resume(id)
  await idle()

  expect(run.state.signal).toMatchObject({ cause: 'imported' })
  expect([booked, model.calls]).toEqual([[], []])
  run.resume()
  await expect.poll(() => run.state.asks).toMatchObject([{ kind: 'approval' }])
  run.close()
})

it('asks again what steps of the agent had asked', async () => {
  const seen: unknown[] = []
  const terms = async (run: Parameters<ReturnType<typeof reasonAct>>[0]) => {
    seen.push(await run.ask('terms', confirm({ prompt: 'Accept?' })))
    return { type: 'answer', output: 'ok', reason: 'text' } as const
  }
  const a = agent({ name: 'a', model: scriptedModel(), backend: terms })
  const accepted: EventBody = { type: 'noted', key: 'terms', value: true }

  const { run } = await opened(fileOf(handmade([said, accepted])), a)
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: 'terms' }] })
  expect(seen).toEqual([])
  await run.reply('terms', true)
  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(seen).toEqual([true])
})

it('counts limits from when a user continues, whatever the file says was extended or used', async () => {
  const spent = (tokens: number): EventBody => ({
    ...(thought() as Extract<EventBody, { type: 'thought' }>),
    parts: [{ type: 'text', text: 'x' }],
    usage: { ...noUsage, inputTokens: tokens },
  })
  const ask = {
    kind: 'extension',
    id: 'x',
    prompt: 'More?',
    limit: 'iterations',
    used: 1,
    allowed: 1,
    suggested: 1,
  } as const
  const extended: readonly EventBody[] = [
    { type: 'asked', ask },
    { type: 'replied', ask: 'x', value: { extend: 1e9 } },
  ]
  const a = agent({
    name: 'a',
    model: scriptedModel(...Array.from({ length: 9 }, () => ({ calls: [{ name: 'none', input: {} }] }))),
    backend: reasonAct({ limits: { iterations: 2 } }),
  })
  const { run } = await opened(fileOf(handmade([said, spent(-1e9), ...extended, said])), a)

  run.resume()

  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 2, allowed: 2 })
})

it.each([
  ['of a file', async (file: RunFile) => [file, memoryJournal()] as const],
  ['of a run that shows a file', async (file: RunFile) => [pastRun(file), memoryJournal()] as const],
  [
    'of an imported run, from before its import',
    async (file: RunFile) => {
      const journal = memoryJournal()
      return [await importRun(file, { journal }), journal] as const
    },
  ],
])('does nothing in a fork %s', async (_, make) => {
  const { agent: a, booked, model } = booking()
  const log = handmade([said, thought(), asked, settled, replied])
  const [from, journal] = await make(fileOf(log) as never)

  const run = await fork(a, from, { journal, at: log.length - 1 })
  await idle()

  expect(run.state.signal).toMatchObject({ cause: 'imported' })
  expect([booked, model.calls]).toEqual([[], []])
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'approval' }] })
})

it('continues a fork of a file where a user says something else in it', async () => {
  const { agent: a, model } = booking()

  const run = await fork(a, fileOf(handmade([said])) as never, { at: 1, edit: { content: 'Stay' } })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(JSON.stringify(model.calls[0]?.prompt)).not.toContain('Book it')
})

it('asks again what a child run of the file was allowed', async () => {
  const { agent: child, booked } = booking()
  const call0 = { calls: [{ name: 'help', input: { task: 'Book' } }] }
  const boss = agent({
    name: 'boss',
    model: scriptedModel(call0, 'Done.'),
    tools: { help: agentTool(child, { description: 'Helps.' }) },
  })
  const help: EventBody = {
    ...(thought() as Extract<EventBody, { type: 'thought' }>),
    parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 'help', input: { task: 'Book' } }],
  }
  const parent = handmade([said, help, { type: 'claimed', call, resumes: true }])
  const own = handmade([said, thought(), asked, replied], `r/${call}`)
  const bossLog = [{ ...parent[0], agent: 'boss' }, ...parent.slice(1)] as Event[]
  const childLog = [{ ...own[0], parent: { runId: 'r', key: call, depth: 1 } }, ...own.slice(1)] as Event[]

  const { run } = await opened(fileOf(bossLog, { below: [childLog] }), boss)
  await idle()
  expect(booked).toEqual([])
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'approval', from: { agent: 'a' } }] })
  expect(booked).toEqual([])
})

it('takes no run as a child that another run did not start', async () => {
  const { agent: child, booked, model } = booking({ isAsked: false })
  const boss = agent({
    name: 'boss',
    model: scriptedModel({ calls: [{ name: 'help', input: { task: 'Book' } }] }, 'Done.'),
    tools: { help: agentTool(child, { description: 'Helps.' }) },
  })
  const journal = memoryJournal()
  const parent = { runId: 'later', key: call, depth: 1 }
  const [first, ...others] = handmade([said, thought()], `later/${call}`)
  await importRun(fileOf([{ ...first, parent } as Event, ...others]), { journal })

  const run = boss.start('Go', { id: 'later', journal })

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(run.state.history.flat()).toMatchObject([{}, { calls: [{ error: { code: 'log_invalid' } }] }, {}])
  expect([booked, model.calls]).toEqual([[], []])
})

it.each([
  ['a child of a run that is here', 'here/1/tool/0'],
  ['the parent of a run that is here', 'a'],
  ['a run that is here', 'here'],
])('gives a run another id that would be %s', async (_, runId) => {
  const journal = memoryJournal()
  await journal.append('here', handmade([said], 'here'))
  await journal.append('a/1/tool/0', handmade([said], 'a/1/tool/0'))
  const before = [await journal.read('here'), await journal.read('a/1/tool/0')]

  const id = await importRun(fileOf(handmade([said], runId)), { journal, host: { newId: () => 'new' } })

  expect(id).toBe('new')
  expect(await journal.read(runId === 'here' ? 'none' : runId)).toEqual([])
  expect([await journal.read('here'), await journal.read('a/1/tool/0')]).toEqual(before)
})

it('tells a provider of no approval that was not given here', async () => {
  const approval = (id: string): EventBody => ({
    ...(thought() as Extract<EventBody, { type: 'thought' }>),
    readUntil: 99,
    parts: [
      { type: 'tool-call', toolCallId: id, toolName: 'mcp', input: {}, providerExecuted: true },
      { type: 'tool-approval-request', approvalId: `ask ${id}`, toolCallId: id },
    ],
  })
  const approved = (key: string): EventBody => ({
    type: 'observed',
    call: key,
    result: { type: 'json', value: { approved: true } },
    ms: 1,
  })
  const seeded: EventBody = {
    type: 'seeded',
    messages: [{ role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'seeded', approved: true }] }],
  }
  const { agent: a, model } = booking()
  const log = handmade([seeded, said, approval('x'), approved('1/tool/0'), approval('y'), approved('2/tool/0')])

  const { run } = await opened(fileOf(log), a)
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ tool: 'mcp', id: '2/tool/0/approval' }] })
  await run.reply('2/tool/0/approval', { approved: false })
  await run.settled
  const prompt = (model.calls[0]?.prompt ?? []) as LanguageModelV4Prompt
  const responses = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
  expect(responses).toMatchObject(
    ['seeded', 'ask x', 'ask y'].map((approvalId) => ({
      type: 'tool-approval-response',
      approvalId,
      approved: false,
    })),
  )
})

it('exports and imports its own run with the same rule, as often as one likes', async () => {
  const { agent: a, booked } = booking()
  let file: unknown = fileOf(handmade([said, thought(), asked, settled, replied]))
  for (let times = 0; times < 3; times++) {
    const { journal, id } = await opened(file, a)
    file = JSON.parse(JSON.stringify(await exportRun(journal, id)))
  }

  const { run } = await opened(file, a)
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'approval' }] })
  expect(booked).toEqual([])
})

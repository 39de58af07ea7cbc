import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type AgentHandle, agent, confirm, tool } from '@interleave/core'
import { deferred } from '@interleave/core/internal'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { manualModel } from '@interleave/test-kit/manualModel'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Page, pageRegistry } from '../page.ts'
import {
  clientTool,
  pageModel,
  type WorkerAgentOptions,
  type WorkerHostOptions,
  workerAgent,
  workerHost,
} from './index.ts'

const inputSchema = z.object({})
const ask = tool({ inputSchema, execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
/** Asks with the first message, whichever worker it is. */
const turn: ScriptedTurn = ({ prompt }) =>
  prompt.length === 1 ? { calls: [{ name: 'ask', input: {} }] } : prompt.at(-1)?.role === 'tool' ? 'Done.' : 'More.'
const asking = () => agent({ name: 'a', model: scriptedModel(turn, turn, turn), tools: { ask } })
const marking = (effect: 'atMostOnce' | 'idempotent') => {
  const model = scriptedModel({ calls: [{ name: 'mark', input: {} }] }, 'Done.')
  return agent({ name: 'a', model, tools: { mark: clientTool({ inputSchema, effect }) } })
}

afterEach(() => void vi.unstubAllGlobals())

/** Opens an agent in a page of its own, which can be left and shown again. */
function openPage(worker: Parameters<typeof workerAgent>[0], options?: WorkerAgentOptions) {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  return {
    agent: workerAgent(worker, 'a', options),
    leave: () => void page.dispatchEvent(new Event('pagehide')),
    comeBack: () => void page.dispatchEvent(new Event('pageshow')),
  }
}

/** A worker that can be ended, and created anew with the same journal. */
function workers(describe: () => AgentHandle, options: WorkerHostOptions = { journal: memoryJournal() }) {
  const ports: MessagePort[] = []
  const created = { times: 0 }
  const create = () => {
    created.times++
    const outer = new EventTarget()
    workerHost([describe()], options).connect(outer)
    return Object.assign(new EventTarget(), {
      postMessage(data: unknown, given: readonly Transferable[]) {
        ports.push(...(given as MessagePort[]))
        outer.dispatchEvent(new MessageEvent('message', { data, ports: [...ports.slice(-1)] }))
      },
      terminate() {},
    })
  }
  const kill = () => {
    for (const port of ports.splice(0)) port.close()
  }
  return { create, created, kill }
}

/** Frees the locks of pages and workers, as WebKit does when a page enters the back/forward cache. */
async function freeLocks(): Promise<void> {
  const { held = [] } = await navigator.locks.query()
  for (const { name = '' } of held)
    if (name.startsWith('interleave:visit:')) await navigator.locks.request(name, { steal: true }, () => {})
}
const never = () => new Promise<never>(() => {})

it.each(['keeps', 'frees'])('shows what happened while it was left, where the browser %s its locks', async (locks) => {
  const { create } = workers(asking)
  const worker = create()
  const [first, second] = [openPage(worker), openPage(worker)]
  const run = first.agent.start('Go')
  await run.settled

  first.leave()
  if (locks === 'frees') await freeLocks()
  const same = await second.agent.resume(run.id)
  await same.reply('1/tool/0/ask/0', true)
  await untilSettled(same, 'answer')
  const meanwhile = run.state.signal?.type
  first.comeBack()
  await untilSettled(run, 'answer')
  await run.say('More')
  await run.settled

  expect(meanwhile).toBe('inputNeeded')
  expect(run.state).toMatchObject({ signal: { output: 'More.' } })
  await expect.poll(() => same.state.seq).toBe(run.state.seq)
})

it('continues the text of a turn that streams', async () => {
  const model = manualModel()
  const { create } = workers(() => agent({ name: 'a', model }))
  const page = openPage(create())
  const run = page.agent.start('Go')
  await model.called(1)
  model.say('One, ')
  await expect.poll(() => run.state.draft?.text).toBe('One, ')

  page.leave()
  model.say('two, ')
  page.comeBack()
  await expect.poll(() => run.state.draft?.text).toBe('One, two, ')
  model.say('three.')
  model.end()

  expect(await run.settled).toMatchObject({ output: 'One, two, three.' })
})

it('sends what was said while it was left', async () => {
  const page = openPage(workers(asking).create())
  const run = page.agent.start('Go')
  await run.settled

  page.leave()
  const replied = run.reply('1/tool/0/ask/0', true)
  page.comeBack()
  await replied

  await untilSettled(run, 'answer')
})

it('has the next page run what may happen twice', async () => {
  const worker = workers(() => marking('idempotent')).create()
  let aborted: AbortSignal | undefined
  const mark = (_: never, { abortSignal }: { abortSignal: AbortSignal }) => {
    aborted = abortSignal
    return never()
  }
  const first = openPage(worker, { tools: { mark } })
  const run = first.agent.start('Go')
  await expect.poll(() => aborted).toBeDefined()

  first.leave()
  const again = await openPage(worker, { tools: { mark: () => 'here' } }).agent.resume(run.id)
  await untilSettled(again, 'answer')
  first.comeBack()

  expect(aborted?.reason).toMatchObject({ code: 'tool_interrupted' })
  await untilSettled(run, 'answer')
})

it('has a user asked about what may not, and gives the page that is back its new calls', async () => {
  const worker = workers(() => marking('atMostOnce')).create()
  const results = [never(), 'again']
  const page = openPage(worker, { tools: { mark: () => results.shift() } })
  const run = page.agent.start('Go')
  await expect.poll(() => results.length).toBe(1)

  page.leave()
  page.comeBack()
  await untilSettled(run, 'inputNeeded')
  await run.reply('1/tool/0/interruption', 'again')

  await untilSettled(run, 'answer')
})

it('greets again where it lost its lock although it is alive', async () => {
  const model = manualModel()
  const page = openPage(workers(() => agent({ name: 'a', model })).create())
  const run = page.agent.start('Go')
  await model.called(1)

  for (let i = 0; i < 3; i++) await freeLocks()
  model.say('Done.')
  model.end()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('creates a worker again that has ended, and keeps its questions open', async () => {
  const { create, created, kill } = workers(asking)
  const { agent: a } = openPage(create)
  const run = a.start('Go')
  await run.settled

  kill()
  await run.reply('1/tool/0/ask/0', true)

  await untilSettled(run, 'answer')
  expect(created.times).toBe(2)
})

it('creates a worker again for what a run does, and repeats no step of it', async () => {
  const model = manualModel()
  const { create, kill } = workers(() => agent({ name: 'a', model }))
  const run = openPage(create).agent.start('Go')
  await model.called(1)

  kill()
  await model.called(2)
  model.say('Done.')
  model.end()

  await untilSettled(run, 'answer')
  expect(run.state.history.flat()).toHaveLength(2)
})

it('begins a run once whose worker ends before it has answered', async () => {
  const { create, created, kill } = workers(asking)
  const { agent: a } = openPage(create)
  await a.start('First').settled
  const run = a.start('Go')
  await new Promise((resolve) => setTimeout(resolve))

  kill()

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  expect(run.log.filter(({ type }) => type === 'started')).toHaveLength(1)
  expect(created.times).toBe(2)
})

it('creates none for runs that have finished, until they are used again', async () => {
  const { create, created, kill } = workers(() => agent({ name: 'a', model: scriptedModel('Done.', 'More.') }))
  const run = openPage(create).agent.start('Go')
  await run.settled
  await new Promise((resolve) => setTimeout(resolve, 20))

  kill()
  await expect.poll(() => run.connection).toEqual({ type: 'connecting' })
  const before = created.times
  await run.say('More')

  await run.settled
  expect([before, created.times]).toEqual([1, 2])
  expect(run.connection).toEqual({ type: 'connected' })
})

it('creates none for a run that was closed when its worker was ended', async () => {
  const { create, created, kill } = workers(asking)
  const run = openPage(create).agent.start('Go')
  await run.settled

  run.close()
  kill()
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(created.times).toBe(1)
})

it.each(['the page knows that', 'it could not say so'])(
  'fails a run that was not stored and begun, if %s',
  async (when) => {
    const model = manualModel()
    const { create, kill } = workers(() => agent({ name: 'a', model }), {})
    const run = openPage(create).agent.start('Go')
    await model.called(1)
    if (when === 'the page knows that') await expect.poll(() => run.state.seq).toBeGreaterThan(0)

    kill()

    expect(await run.settled).toMatchObject({
      error: {
        code: 'worker_failed',
        message: 'The worker that executed this run has ended, and the run was not stored.',
      },
    })
  },
)

it('gives up a worker that ends again and again', async () => {
  const model = manualModel()
  const { create, created, kill } = workers(() => agent({ name: 'a', model }))
  const run = openPage(create).agent.start('Go')

  for (let i = 1; i < 5; i++) {
    await model.called(i)
    kill()
  }

  expect(await run.settled).toMatchObject({ error: { code: 'worker_failed' } })
  expect(created.times).toBe(4)
})

it.each(['resume', 'say', 'start'] as const)('creates a worker again after it was given up, for a %s', async (what) => {
  const model = manualModel()
  const { create, kill } = workers(() => agent({ name: 'a', model }))
  const page = openPage(create).agent
  const run = page.start('Go')
  for (let i = 1; i < 5; i++) {
    await model.called(i)
    kill()
  }
  await run.settled

  if (what === 'resume') run.resume()
  if (what === 'say') await run.say('More')
  const next = what === 'start' ? page.start('Go') : run
  await model.called(5)

  await expect.poll(() => next.state.signal).toBeUndefined()
})

it('refuses a command that a worker does not answer', async () => {
  const host = manualHost()
  const { port1, port2 } = new MessageChannel()
  const journal = memoryJournal()
  let isStuck = false
  const append: Journal['append'] = async (...given) => (isStuck ? never() : journal.append(...given))
  workerHost([asking()], { journal: { ...journal, append } }).connect(port2)
  const run = openPage(port1, { host }).agent.start('Go')
  await run.settled
  isStuck = true

  const replied = run.reply('1/tool/0/ask/0', true).catch((error: unknown) => error)
  await host.advance(60_000)

  expect(await replied).toMatchObject({ code: 'worker_failed', retryable: true })
  port1.close()
})

/** The model of a page that is not loaded, and waits for ever. */
function waitingModel(): { readonly model: LanguageModelV4; readonly asked: { times: number } } {
  const asked = { times: 0 }
  const doStream: LanguageModelV4['doStream'] = async () => {
    asked.times++
    const start = (into: ReadableStreamDefaultController<LanguageModelV4StreamPart>): void =>
      into.enqueue({ type: 'stream-start', warnings: [] })
    return { stream: new ReadableStream({ start }) }
  }
  return { model: { ...scriptedModel(), doStream }, asked }
}

it.each(['asked after it is back', 'asked before'])('asks the page that has loaded a model, %s', async (when) => {
  const name = `loaded ${when}`
  const worker = workers(() => agent({ name: 'a', model: pageModel(name) })).create()
  const loaded = openPage(worker, { models: { [name]: scriptedModel('One.', 'Two.') } })
  const before = await loaded.agent.start('Go').settled
  const { model, asked } = waitingModel()
  const other = openPage(worker, { models: { [name]: model } }).agent

  loaded.leave()
  if (when === 'asked after it is back') loaded.comeBack()
  const run = other.start('Go')
  if (when === 'asked before') {
    await expect.poll(() => asked.times).toBe(1)
    loaded.comeBack()
  }

  expect([before, await run.settled]).toMatchObject([{ output: 'One.' }, { output: 'Two.' }])
})

it('asks the page that has started the run, and not one that has joined meanwhile', async () => {
  const journal = memoryJournal()
  const [stores, stored] = [deferred<void>(), deferred<void>()]
  const append: Journal['append'] = async (...given) => {
    stores.resolve()
    await stored.promise
    return journal.append(...given)
  }
  const model = pageModel('of the page')
  const worker = workers(() => agent({ name: 'a', model }), { journal: { ...journal, append } }).create()
  const run = openPage(worker, { models: { 'of the page': scriptedModel('Here.') } }).agent.start('Go')
  await stores.promise

  const first = pageRegistry.findModel('of the page')
  const waiting = waitingModel()
  openPage(worker, { models: { 'of the page': waiting.model } })
  const joined = (page: Page): boolean => page !== first && page.models.has('of the page')
  await expect.poll(() => pageRegistry.findPage(joined)).toBeDefined()
  stored.resolve()

  expect(await run.settled).toMatchObject({ output: 'Here.' })
  expect(waiting.asked.times).toBe(0)
})

import { AgentError, agent, approval, reasonAct, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { decorateJournal } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { failureSentences } from '@interleave/core/observe'
import { toolSource } from '@interleave/core/tools'
import { call, newRun, openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { ServerFailure } from './failures.ts'
import type { HandlerOptions } from './handlerOptions.ts'

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'
const inner = 'http://10.0.0.7:4021/mcp'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

const look = tool({
  inputSchema: z.object({}),
  execute: () => Promise.reject(new Error(`GET ${inner}?api_key=${key} failed`)),
})
/** Calls a tool that fails, and fails itself then. */
const guide = () =>
  agent({
    name: 'guide',
    model: scriptedModel({ calls: [{ name: 'look', input: {} }] }, new Error(`Incorrect API key provided: ${key}`)),
    tools: { look },
  })

/** Runs an agent to its end, and returns everything that its client can get of it. */
async function ask(agents: HandlerOptions['agents'], options: Partial<HandlerOptions> = {}) {
  const handler = openHandler(agents, options)
  const { runId } = await (await call(handler, newRun(), { body: { agent: agents[0]?.name, input: 'Go' } })).json()
  const read = async (path: string): Promise<string> => (await call(handler, path)).text()
  const stream = await read(`runs/${runId}/events?follow=false`)
  const file = await read(`runs/${runId}/export`)
  return { runId: String(runId), stream, all: stream + file + (await read(`runs/${runId}`)) + (await read('runs')) }
}

it('row 15: sends users the sentence of a code, and nothing of what a model or a tool said', async () => {
  const { stream, all } = await ask([guide()])

  expect(stream).toContain(failureSentences.model_failed)
  expect(stream).toContain(failureSentences.tool_failed)
  for (const detail of ['Incorrect', 'sk-proj', '10.0.0.7', 'api_key']) expect(all).not.toContain(detail)
})

it('sends users what was written for them', async () => {
  const find = tool({
    inputSchema: z.object({}),
    execute() {
      throw new AgentError('tool_failed', `row 17 of ${inner}`, { userMessage: 'There is no flight on that day.' })
    },
  })
  const model = scriptedModel({ calls: [{ name: 'find', input: {} }] }, 'Sorry.')
  const { stream, all } = await ask([agent({ name: 'guide', model, tools: { find } })])

  expect(stream).toContain('"message":"There is no flight on that day."')
  expect(all).not.toContain('row 17')
})

it('sends users no warnings of a provider', async () => {
  const model = scriptedModel([
    { type: 'stream-start', warnings: [{ type: 'other', message: `${inner} is deprecated` }] },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hi.' },
    { type: 'text-end', id: '1' },
    {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never,
    },
  ])
  const { stream, all } = await ask([agent({ name: 'guide', model })])

  expect(stream).toContain('Hi.')
  expect(all).not.toContain('10.0.0.7')
})

it('tells the developers: a line on the console without secrets, and onFailure', async () => {
  const failures: ServerFailure[] = []
  const { runId } = await ask([guide()], { onFailure: (failure) => failures.push(failure) })

  const lines = vi.mocked(console.error).mock.calls.map(([line]) => String(line))
  expect(lines).toEqual([
    expect.stringContaining(
      `Interleave: the tool "look" failed in run ${runId} of "guide" (tool_failed): GET ${inner}`,
    ),
    expect.stringContaining(`Interleave: failed in run ${runId} of "guide" (model_failed): Incorrect API key provided`),
  ])
  expect(lines.join()).not.toContain(key)
  expect(lines.join()).not.toContain('\n')
  expect(failures).toMatchObject([
    { of: 'tool', tool: 'look', runId, user: 'ada', agent: 'guide', error: { code: 'tool_failed' } },
    { of: 'run', runId, user: 'ada', error: { code: 'model_failed', message: `Incorrect API key provided: ${key}` } },
  ])
})

it('tells onFailure of a request that was answered with 500 or more, and of no other', async () => {
  const failures: ServerFailure[] = []
  const cause = new Error('The disk is gone.')
  const list = () => Promise.reject(cause)
  const onFailure = (failure: ServerFailure): void => void failures.push(failure)
  const handler = openHandler([guide()], { journal: { ...memoryJournal(), list }, onFailure })

  const answers = [await call(handler, 'runs/none'), await call(handler, 'runs')]

  expect(answers.map(({ status }) => status)).toEqual([404, 503])
  expect(failures).toMatchObject([{ of: 'request', error: { code: 'journal_failed' } }])
  expect(failures[0]).toHaveProperty('cause')
})

it('tells developers, and no user, what a policy throws that judges an edited input', async () => {
  const failures: ServerFailure[] = []
  const approve = ({ to }: { readonly to: string }) => {
    if (to === 'ann') return approval()
    throw new Error(`No rule for ${to} at ${inner}`)
  }
  const send = tool({ inputSchema: z.object({ to: z.string() }), approve, execute: () => 'Sent.' })
  const model = scriptedModel({ calls: [{ name: 'send', input: { to: 'ann' } }] }, 'Done.')
  const onFailure = (failure: ServerFailure): void => void failures.push(failure)
  const handler = openHandler([agent({ name: 'guide', model, tools: { send } })], { onFailure })
  const { runId } = await (await call(handler, newRun(), { body: { agent: 'guide', input: 'Go' } })).json()
  await (await call(handler, `runs/${runId}/events?follow=false`)).text()
  const [asked] = (await (await call(handler, `runs/${runId}`)).json()).asks
  const value = { approved: true, input: { to: 'eve' } }

  const answer = await call(handler, `runs/${runId}/reply`, { body: { token: asked.token, ask: asked.ask.id, value } })

  // A client repeats a request that is answered with 500 or more, and the policy would throw again and again.
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ code: 'step_failed', detail: 'The agent could not take this' })
  expect(failures).toMatchObject([{ of: 'request', error: { message: `No rule for eve at ${inner}` } }])
})

it('writes the lines to where the app wants them', async () => {
  const lines: string[] = []
  await ask([guide()], { log: (line) => lines.push(line) })

  expect(lines).toHaveLength(2)
  expect(console.error).not.toHaveBeenCalled()
})

it('survives an app whose hooks fail', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const { stream } = await ask([guide()], {
    log() {
      throw new Error('The disk is full')
    },
    onFailure: () => Promise.reject(new Error('Sentry is down')),
  })
  vi.unstubAllGlobals()

  expect(stream).toContain(failureSentences.model_failed)
  expect(reported).toHaveBeenCalledTimes(4)
})

it('sends the messages as they are if a developer wants it, but no secret', async () => {
  const { all } = await ask([guide()], { exposeErrors: true })

  expect(all).toContain('Incorrect API key provided')
  expect(all).toContain(inner)
  expect(all).not.toContain(key)
})

it('hides the errors of a source of tools, of a try that is repeated, and of child runs', async () => {
  const source = toolSource({ current: () => Promise.reject(new Error(`The server ${inner} cannot be reached`)) })
  const noTools = await ask([agent({ name: 'guide', model: scriptedModel('Hi.'), tools: source })])
  expect(noTools.stream).toContain(failureSentences.tools_unavailable)
  expect(noTools.all).not.toContain('10.0.0.7')

  const busy = Object.assign(new Error(`429 of ${inner}`), { isRetryable: true })
  const lines: string[] = []
  const model = scriptedModel(busy, 'Hi.')
  const retried = await ask([agent({ name: 'guide', model, backend: reasonAct({ think: { retryDelayMs: 1 } }) })], {
    log: (line) => lines.push(line),
  })
  expect(retried.all).not.toContain('10.0.0.7')
  expect(lines).toEqual([expect.stringContaining('a model failed and is tried again in run')])

  const child = agent({ name: 'child', model: scriptedModel(new Error(`401 of ${inner}`)) })
  const tools = { child: agentTool(child, { description: 'Looks it up.' }) }
  const asking = scriptedModel({ calls: [{ name: 'child', input: { task: 'Go' } }] }, 'Sorry.')
  const nested = await ask([agent({ name: 'guide', model: asking, tools })], { log() {} })
  expect(nested.stream).toContain(failureSentences.model_failed)
  expect(nested.all).not.toContain('10.0.0.7')
})

it('tells developers of a tool that fails in a child run, once', async () => {
  const failures: ServerFailure[] = []
  const turn = { calls: [{ name: 'look', input: {} }] }
  const child = agent({ name: 'child', model: scriptedModel(turn, 'Nothing.'), tools: { look } })
  const tools = { child: agentTool(child, { description: 'Looks it up.' }) }
  const model = scriptedModel({ calls: [{ name: 'child', input: { task: 'Go' } }] }, 'Sorry.')
  const onFailure = (failure: ServerFailure): void => void failures.push(failure)
  const { runId } = await ask([agent({ name: 'guide', model, tools })], { onFailure })

  expect(failures).toMatchObject([
    { of: 'tool', runId: `${runId}/1/tool/0`, user: 'ada', error: { message: `GET ${inner}?api_key=${key} failed` } },
  ])
  expect(console.error).toHaveBeenCalledOnce()
})

it('reports a journal that refuses to write, once', async () => {
  const lines: string[] = []
  const failures: ServerFailure[] = []
  const kept = memoryJournal()
  let writes = 0
  const journal = decorateJournal(kept, ({ append }) => ({
    append(...args) {
      if (++writes > 1) throw new Error(`connect ECONNREFUSED ${inner}`)
      return append(...args)
    },
  }))
  const handler = openHandler([agent({ name: 'guide', model: scriptedModel('Hi.') })], {
    ...{
      journal,
      log: (line: string) => lines.push(line),
      onFailure: (failure: ServerFailure) => failures.push(failure),
    },
  })
  const { runId } = await (await call(handler, newRun(), { body: { agent: 'guide', input: 'Go' } })).json()

  const told = await (await call(handler, `runs/${runId}/events?follow=false`)).text()

  expect(told).toContain(failureSentences.journal_failed)
  expect(told).not.toContain('10.0.0.7')
  expect(lines).toEqual([expect.stringMatching(`the journal failed in run ${runId}.*journal_failed.*ECONNREFUSED`)])
  expect(failures).toMatchObject([{ of: 'journal', user: 'ada', error: { code: 'journal_failed' } }])
})

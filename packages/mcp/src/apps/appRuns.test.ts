import { approval, type Run, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { toolSource } from '@interleave/core/tools'
import { eventually } from '@interleave/test-kit/eventually'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { McpServer } from '../client/mcpServer.ts'
import { caller } from '../testing/agents.ts'
import { AppCalls } from './appCalls.ts'
import { AppRuns, ownTools } from './appRuns.ts'

const paid: number[] = []
const pay = tool({
  inputSchema: z.object({ amount: z.number() }),
  approve: approval(),
  execute: ({ amount }) => paid.push(amount),
})
const tools = toolSource({ current: () => ({ pay }) })

const place = (journal = memoryJournal()) => {
  const run = caller({ pay }, 'pay', { amount: 1 }).start('Go', { journal })
  return { journal, place: { run, key: '1/tool/0' } }
}
const asked = (run: Run) => eventually(() => expect(run.state.signal?.type).toBe('inputNeeded'))
const reply = (run: Run, value: unknown) => run.reply(run.state.asks[0]?.id ?? '', value)

it('resumes a run of an earlier page once, however often it is asked for', async () => {
  const { journal, place: shown } = place()
  paid.length = 0
  await asked(new AppRuns(tools, journal).start(shown, { name: 'pay', input: { amount: 5 }, from: 'shop.example' }))

  const later = new AppRuns(tools, journal)
  const [first, second] = await Promise.all([later.unfinished(shown), later.unfinished(shown)])
  const [run] = first
  expect(first).toHaveLength(1)
  expect(second[0]).toBe(run)
  await reply(run as Run, { approved: true })

  expect(await run?.settled).toMatchObject({ type: 'answer' })
  expect(paid).toEqual([5])
  expect(await later.unfinished(shown)).toEqual([])
})

it('is below the run that shows the app, and goes with it', async () => {
  const { journal, place: shown } = place()
  const run = new AppRuns(tools, journal).start(shown, { name: 'pay', input: { amount: 5 }, from: 'shop.example' })
  await asked(run)
  expect(run.state.parent).toEqual({ runId: shown.run.id, key: '1/tool/0', depth: 1 })
  expect(run.state.asks[0]).toMatchObject({ kind: 'approval', tool: 'pay' })
  expect(run.state.agent).toBe('an app of shop.example')
  await asked(shown.run)
  await journal.delete(shown.run.id)
  expect(await journal.list()).toEqual([])
})

it('sends a message that the user has read, and none if the app is shown no more', async () => {
  const { journal, place: shown } = place()
  await asked(shown.run)
  const runs = new AppRuns(tools, journal)
  const leave = runs.register(shown)
  const send = async (text: string) => {
    const run = runs.start(shown, { name: ownTools.message, input: { text } })
    await asked(run)
    return run
  }
  const said = await send('Is it in stock?')
  expect(JSON.stringify(shown.run.state.pending)).not.toContain('stock')
  await reply(said, { approved: true })
  await said.settled
  expect(JSON.stringify(shown.run.state.pending)).toContain('Is it in stock?')

  leave()
  const late = await send('Too late?')
  await reply(late, { approved: true })
  await late.settled
  expect(JSON.stringify(late.state.history)).toContain('is not shown any more')
  expect(JSON.stringify(shown.run.state.pending)).not.toContain('late')
})

it('takes the question of a call away that the app gives up, and asks none after five refusals', async () => {
  const { journal, place: call } = place()
  const asking: (Run | undefined)[] = []
  const runs = new AppRuns(tools, journal)
  const calls = new AppCalls({ runs, callable: async () => 'pay', call, onAsking: (run) => void asking.push(run) })
  const server = {} as McpServer
  const ask = (signal: AbortSignal) =>
    calls.answer('tools/call', { name: 'pay', arguments: { amount: 5 } }, { server, signal })
  const giving = new AbortController()
  const given = ask(giving.signal)
  await eventually(() => expect(asking.at(-1)?.state.asks).toHaveLength(1))

  giving.abort(new Error('It took too long.'))
  await given.catch(() => {})
  await eventually(() => expect(asking.at(-1)).toBeUndefined())

  for (let refusals = 0; refusals < 5; refusals++) {
    const refused = ask(new AbortController().signal)
    await eventually(() => expect(asking.at(-1)?.state.asks).toHaveLength(1))
    await reply(asking.at(-1) as Run, { approved: false })
    expect(await refused).toMatchObject({ isError: true })
  }
  await expect(ask(new AbortController().signal)).rejects.toThrow('refused too many calls')
})

import { type Agent, AgentError, agent, confirm, type ToolContext, tool } from '@interleave/core'
import { type RestateAlarm, restateAgent, restateHost, restateJournal, watchRestate } from '@interleave/restate'
import { scriptedModel } from '@interleave/testing'
import * as sdk from '@restatedev/restate-sdk'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { needsRestate } from './needsRestate.ts'
import { serveTo } from './serveTo.ts'
import { query, restateBinary, startRestate } from './startRestate.ts'

needsRestate()

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Creates an agent that asks, and whose run cannot continue while `isBroken` returns true. */
function fragile(isBroken: () => boolean, error = new Error('The menu is missing.')): Agent<string> {
  const seat = tool({
    inputSchema: z.object({}),
    effect: 'readOnly',
    execute: async (_, { ask }: ToolContext) => ask(confirm({ prompt: 'By the window?' })),
  })
  const model = scriptedModel({ calls: [{ name: 'seat', input: {} }] }, 'A table for two.')
  const whole = agent({ name: 'waiter', model, tools: { seat } })
  return {
    ...whole,
    async resume(...given) {
      if (isBroken()) throw error
      return whole.resume(...given)
    },
  }
}

it.runIf(restateBinary)('reports a run that Restate has given up, and lets it continue', async () => {
  let isBroken = true
  // The host asks for an hour.
  const server = await startRestate({ RESTATE_MAX_RETRY_POLICY_MAX_ATTEMPTS: '7' })
  closing.push(server.close)
  const { ingress, admin } = server
  const { services } = restateHost({ sdk, ingress, agents: [fragile(() => isBroken)], segment: { lingerMs: 0 } })
  closing.push(await serveTo(server, services))
  const alarms: RestateAlarm[] = []
  const watch = watchRestate({ admin, every: 20, attempts: 2, onAlarm: (alarm) => alarms.push(alarm) })
  closing.push(watch.close)

  const run = restateAgent({ agent: 'waiter', ingress }).start('Two, please.', { id: 'a/table' })
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  await expect.poll(async () => (await query(admin, atWork)).json()).toEqual({ rows: [] })
  const replied = run.reply('1/tool/0/ask/0', true)
  await expect.poll(() => alarms.map(({ type }) => type)).toContain('paused')
  const failure = expect.stringContaining('The menu is missing.')
  expect(alarms.at(-1)).toMatchObject({ type: 'paused', runId: 'a/table', failure })
  expect(alarms.map(({ type }) => type)).toEqual(['retrying', 'paused'])

  await watch.resume('a/table')
  await expect.poll(() => alarms.filter(({ type }) => type === 'paused')).toHaveLength(2)
  isBroken = false
  expect(await watch.resume('a/table')).toBe(1)
  await replied
  expect(await run.settled).toMatchObject({ output: 'A table for two.' })
  expect(await watch.resume('a/table')).toBe(0)
})

it.runIf(restateBinary).each(['http2', 'fetch'] as const)(
  'pauses at once what no attempt would change, over %s, until it is mended',
  async (mode) => {
    let isBroken = true
    const server = await startRestate()
    closing.push(server.close)
    const { ingress, admin } = server
    const newer = new AgentError('log_invalid', 'The log is of a later version.')
    const agents = [fragile(() => isBroken, newer)]
    const faults: unknown[] = []
    const onFault = (_: string, error: unknown) => void faults.push(error)
    const segment = { lingerMs: 0 }
    const { services } = restateHost({ sdk, ingress, agents, segment, onFault, bidirectional: mode === 'http2' })
    closing.push(await serveTo(server, services, mode))
    const alarms: RestateAlarm[] = []
    const watch = watchRestate({ admin, every: 20, onAlarm: (alarm) => alarms.push(alarm) })
    closing.push(watch.close)
    const run = restateAgent({ agent: 'waiter', ingress }).start('Two, please.', { id: 'table' })
    expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
    await expect.poll(async () => (await query(admin, atWork)).json()).toEqual({ rows: [] })

    const replied = run.reply('1/tool/0/ask/0', true)
    await expect.poll(() => alarms).toMatchObject([{ type: 'paused', runId: 'table' }])
    expect([alarms[0], faults]).toMatchObject([{ failure: newer.message }, [newer]])

    isBroken = false
    expect(await watch.resume('table')).toBe(1)
    await replied
    expect(await run.settled).toMatchObject({ output: 'A table for two.' })
    expect(alarms).toHaveLength(1)
  },
)

it.runIf(restateBinary)('deletes a run that makes no progress, whatever waits for it', async () => {
  const server = await startRestate()
  closing.push(server.close)
  const { ingress, admin } = server
  let isBroken = false
  const newer = new AgentError('log_invalid', 'The log is of a later version.')
  const { services } = restateHost({ sdk, ingress, agents: [fragile(() => isBroken, newer)], segment: { lingerMs: 0 } })
  closing.push(await serveTo(server, services))
  const run = restateAgent({ agent: 'waiter', ingress }).start('Two, please.', { id: 'table' })
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  await expect.poll(async () => (await query(admin, atWork)).json()).toEqual({ rows: [] })
  isBroken = true
  const said = Promise.allSettled(['Are you there?', 'Hello?'].map((words) => run.say(words)))
  await expect.poll(async () => (await query(admin, paused)).json()).toMatchObject({ rows: [{}] })

  const journal = restateJournal({ ingress, admin })
  await journal.delete('table')

  expect(await journal.list()).toEqual([])
  const unknown = { status: 'rejected', reason: { code: 'run_unknown' } }
  expect(await said).toMatchObject([unknown, unknown])
  await expect.poll(async () => (await query(admin, paused)).json()).toEqual({ rows: [] })
  run.close()
})

const atWork = "SELECT id FROM sys_invocation WHERE target_handler_name IN ('work', 'start')"
const paused = "SELECT id FROM sys_invocation WHERE status = 'paused'"

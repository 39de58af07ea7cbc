import { setTimeout as pause } from 'node:timers/promises'
import { agent, confirm, type ToolContext, tool } from '@interleave/core'
import { restateAgent, restateHost } from '@interleave/restate'
import { scriptedModel } from '@interleave/testing'
import * as sdk from '@restatedev/restate-sdk'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { countAwaits } from './countAwaits.ts'
import { restateOfFile } from './restateOfFile.ts'
import { query, restateBinary } from './startRestate.ts'

const restate = restateOfFile()

/** Two of the SDK's promises: awaited by `Promise.all()`, in one combined await, and one after the other. */
const two = {
  atOnce: async (ctx: sdk.ObjectContext) => Promise.all([slow(ctx, 'a'), slow(ctx, 'b')]),
  combined: async (ctx: sdk.ObjectContext) => sdk.RestatePromise.all([slow(ctx, 'a'), slow(ctx, 'b')]),
  inTurn: async (ctx: sdk.ObjectContext) => [await slow(ctx, 'a'), await slow(ctx, 'b')],
}
const slow = (ctx: sdk.ObjectContext, name: string) => ctx.run(name, () => pause(20).then(() => name))

it.runIf(restateBinary)('never ends where two promises of the SDK are awaited at once', async () => {
  const options = { retryPolicy: { initialInterval: 10, maxAttempts: 4, onMaxAttempts: 'pause' } } as const
  await restate.serve([sdk.object({ name: 'two', handlers: two, options })])
  const ask = async (handler: string): Promise<unknown> =>
    (await fetch(`${restate.server.ingress}/two/${handler}/${handler}`, { method: 'POST' })).json()

  expect(await ask('combined')).toEqual(['a', 'b'])
  expect(await ask('inTurn')).toEqual(['a', 'b'])
  void ask('atOnce').catch(() => {})
  const why = "SELECT json_get_str(event_json, 'last_failure', 'error_message') AS why FROM sys_journal_events"
  await expect
    .poll(async () => (await query(restate.server.admin, `${why} WHERE event_type = 'Paused'`)).json(), {
      timeout: 30_000,
    })
    .toEqual({ rows: [{ why: 'awaitNext already pending' }] })
})

it.runIf(restateBinary)('counts what is awaited at once', async () => {
  const counted = countAwaits(sdk)
  const sleeps = async (ctx: sdk.ObjectContext) => Promise.all([ctx.sleep(10), ctx.sleep(20)]).then(() => 'slept')
  await restate.serve([
    counted.sdk.object({ name: 'counted', handlers: { sleeps, inTurn: two.inTurn } } as never) as never,
  ])
  for (const handler of ['sleeps', 'inTurn']) {
    await fetch(`${restate.server.ingress}/counted/${handler}/${handler}`, { method: 'POST' })
  }

  expect([...counted.most]).toEqual([
    ['sleeps', 2],
    ['inTurn', 1],
  ])
})

const waiter = () => {
  const look = tool({
    inputSchema: z.object({ n: z.number() }),
    effect: 'idempotent',
    execute: async ({ n }, { once }: ToolContext) => pause(20 * n).then(() => once('look', () => n)),
  })
  const ask = tool({
    inputSchema: z.object({}),
    effect: 'readOnly',
    execute: async (_, { ask }: ToolContext) => ask(confirm({ prompt: 'Go on?' })),
  })
  const calls = [1, 2, 3].map((n) => ({ name: 'look', input: { n } }))
  const script = [{ calls }, { calls: [...calls, { name: 'ask', input: {} }] }, 'All is done.']
  return agent({ name: 'waiter', model: scriptedModel(...script), tools: { look, ask } })
}

it.runIf(restateBinary).each(['http2', 'fetch'] as const)(
  'awaits one promise of the SDK at a time over %s',
  async (mode) => {
    const counted = countAwaits(sdk)
    const { ingress } = restate.server
    await restate.serve(
      restateHost({
        ...{ sdk: counted.sdk, ingress, name: mode, agents: [waiter()] },
        ...{ bidirectional: mode === 'http2', segment: { turns: 2, lingerMs: 0 } },
      }).services,
      mode,
    )
    const run = restateAgent({ agent: 'waiter', name: mode, ingress }).start('Begin.')
    expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
    await run.reply('2/tool/3/ask/0', true)

    expect(await run.settled).toMatchObject({ output: 'All is done.' })
    expect(Math.max(...counted.most.values()), JSON.stringify([...counted.most])).toBe(1)
    run.close()
  },
)

import { agent, confirm, type ToolContext, tool } from '@interleave/core'
import { restateAgent, restateHost } from '@interleave/restate'
import { scriptedModel } from '@interleave/testing'
import * as sdk from '@restatedev/restate-sdk'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { needsRestate } from './needsRestate.ts'
import { serveTo } from './serveTo.ts'
import { restateBinary, startRestate } from './startRestate.ts'

needsRestate()

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** An agent that asks before it answers. */
function waiter() {
  const seat = tool({
    inputSchema: z.object({}),
    effect: 'readOnly',
    execute: async (_, { ask }: ToolContext) => ask(confirm({ prompt: 'By the window?' })),
  })
  const turn = ({ prompt }: { prompt: readonly { role: string }[] }) =>
    prompt.some(({ role }) => role === 'tool') ? 'A table for two.' : { calls: [{ name: 'seat', input: {} }] }
  const model = { ...scriptedModel(), doStream: (call: never) => scriptedModel(turn as never).doStream(call) }
  return agent({ name: 'waiter', model, tools: { seat } })
}

/** All runs begin at once, and each needs a place to work in, and another one for what it asks. */
it.runIf(restateBinary).each(['http2', 'fetch'] as const)(
  'continues with as many runs as there are places, over %s',
  async (mode) => {
    const server = await startRestate({
      RESTATE_DEFAULT_NUM_PARTITIONS: '1',
      RESTATE_WORKER__INVOKER__CONCURRENT_INVOCATIONS_LIMIT: '2',
    })
    closing.push(server.close)
    const { ingress } = server
    const { services } = restateHost({
      ...{ sdk, ingress, agents: [waiter()], segment: { lingerMs: 0 } },
      bidirectional: mode === 'http2',
    })
    closing.push(await serveTo(server, services, mode))
    const runs = [1, 2].map(() => restateAgent({ agent: 'waiter', ingress }).start('Two, please.'))
    closing.push(() => runs.map((run) => run.close()))

    for (const run of runs) expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
    // Behind a fetch handler the same happens at the beginning already, and once is enough.
    if (mode === 'fetch') return
    await Promise.all(runs.map((run) => run.reply('1/tool/0/ask/0', true)))
    for (const run of runs) expect(await run.settled).toMatchObject({ output: 'A table for two.' })
  },
)

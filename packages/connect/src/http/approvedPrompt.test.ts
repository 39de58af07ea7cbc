import { agent, approval, tool } from '@interleave/core'
import { messagesOf } from '@interleave/core/observe'
import { nodeListener } from '@interleave/server/node'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { scriptedModel } from '@interleave/testing'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { remoteAgent } from './index.ts'

afterAll(closeServers)

it('asks a server for the prompt of an edited input, and shows the approved one', async () => {
  const mail = tool({
    inputSchema: z.object({ to: z.string() }),
    approve: ({ to }) => approval(`Send it to ${to}?`),
    execute: ({ to }) => `Sent to ${to}`,
  })
  const model = scriptedModel({ calls: [{ name: 'mail', input: { to: 'ann' } }] }, 'Done.')
  const handler = openHandler([agent({ name: 'writer', model, tools: { mail } })])
  const { url } = await listen(nodeListener(handler))
  const run = remoteAgent({ url, headers: { authorization: 'ada' }, name: 'writer' }).start('Write')
  await run.settled
  const id = run.state.asks[0]?.id ?? ''
  const changed = { code: 'approval_changed', message: 'Send it to eve?' }

  await expect(run.reply(id, { preview: { to: 'eve' } })).rejects.toMatchObject(changed)
  await expect(
    run.reply(id, { approved: true, input: { to: 'eve' }, prompt: 'Send it to ann?' }),
  ).rejects.toMatchObject(changed)
  expect(run.state.asks).toHaveLength(1)
  await run.reply(id, { approved: true, input: { to: 'eve' }, prompt: 'Send it to eve?' })
  await run.settled

  expect(messagesOf(run).find(({ type }) => type === 'question')).toMatchObject({
    ask: { prompt: 'Send it to eve?' },
    promptBefore: 'Send it to ann?',
  })
})

it('rejects a reply at once, and repeats nothing, if the policy throws for it on the server', async () => {
  let calls = 0
  const mail = tool({
    inputSchema: z.object({ to: z.string() }),
    approve: ({ to }) => {
      calls++
      if (to !== 'ann') throw new Error('The database at 10.0.0.7 is down.')
      return approval()
    },
    execute: () => 'Sent',
  })
  const model = scriptedModel({ calls: [{ name: 'mail', input: { to: 'ann' } }] }, 'Done.')
  const handler = openHandler([agent({ name: 'writer', model, tools: { mail } })], { log: () => undefined })
  const { url } = await listen(nodeListener(handler))
  const run = remoteAgent({ url, headers: { authorization: 'ada' }, name: 'writer' }).start('Write')
  await run.settled

  const rejected = run.reply(run.state.asks[0]?.id ?? '', { approved: true, input: { to: 'eve' } })

  await expect(rejected).rejects.toMatchObject({ code: 'step_failed', message: 'The agent could not take this' })
  expect(calls).toBe(2)
  expect(run.state.asks).toHaveLength(1)
})

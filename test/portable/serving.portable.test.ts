import { remoteAgent } from '@interleave/connect/http'
import { agent, confirm, type Run, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { scriptedModel } from '@interleave/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const ask = tool({ inputSchema: z.object({}), execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const guide = agent({
  name: 'guide',
  model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done, word by word.'),
  tools: { ask },
})

/** The next rest of this kind. */
const untilSettled = (run: Run, type: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): unknown => run.state.signal?.type === type && resolve()
    run.subscribe(look)
    look()
  })

test('a run works on a server, and is answered from elsewhere', async () => {
  const handle = createHandler({
    agents: [guide],
    journal: memoryJournal(),
    secret: 'a secret for tests only, of 32 bytes and more',
    authorize: ({ headers }) => headers.get('authorization') ?? undefined,
  })
  const remote = remoteAgent<typeof guide>({
    url: 'https://edge.test/api',
    name: 'guide',
    headers: { authorization: 'ada' },
    fetch: (url, init) => handle(new Request(url, init)),
  })
  const run = remote.start('Go')

  await untilSettled(run, 'inputNeeded')
  await run.reply(run.state.asks[0]?.id ?? '', true)
  await untilSettled(run, 'answer')

  expect(run.state.signal).toMatchObject({ output: 'Done, word by word.' })
  run.close()
})

import { agent, answer, type Signal } from '@interleave/core'
import { clientTool } from '@interleave/server'
import { scriptedModel } from '@interleave/testing'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { remoteAgent } from './index.ts'

const rating = agent({ name: 'a', model: scriptedModel(), output: answer(z.object({ stars: z.number() })) })
const mark = clientTool({ inputSchema: z.object({ text: z.string() }), outputSchema: z.number() })

test('the answer has the type that it has on the server', () => {
  const run = remoteAgent<typeof rating>({ url: '/api', name: 'a' }).start('Go')

  expectTypeOf(run.settled).resolves.toEqualTypeOf<Signal<{ stars: number }>>()
})

test('functions of page tools are typed by what the server declares', () => {
  remoteAgent<typeof rating, { mark: typeof mark }>({
    url: '/api',
    name: 'a',
    tools: {
      mark({ text }, { idempotencyKey }) {
        expectTypeOf(text).toEqualTypeOf<string>()
        expectTypeOf(idempotencyKey).toEqualTypeOf<string>()
        return 1
      },
    },
  })

  remoteAgent<typeof rating, { mark: typeof mark }>({
    url: '/api',
    name: 'a',
    // @ts-expect-error The server takes a number.
    tools: { mark: () => 'one' },
  })
})

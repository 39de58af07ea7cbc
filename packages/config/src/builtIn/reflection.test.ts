import { agent, reasonAct, tool } from '@interleave/core'
import { limit, redactEmails, reflect, retryCompacted } from '@interleave/core/steps'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { bothWays } from '../testing/bothWays.ts'

const mail = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'Write to ada@example.com.' })

it('looks back, and takes addresses out of what it found', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  a:
    model: fast
    tools: [mail]
    backend:
      retryCompacted:
        backend:
          reasonAct:
            limits: { limit: { iterations: 9, remindAt: 0.2, lastTurn: reserved } }
            before: [{ redactEmails: { mark: '[who]' } }, { reflect: { every: 1, most: 1, model: fast, name: x } }]
`,
    byHand: (model) =>
      agent({
        name: 'a',
        model,
        tools: { mail },
        backend: retryCompacted(
          reasonAct({
            limits: limit({ iterations: 9 }, { remindAt: 0.2, lastTurn: 'reserved' }),
            before: [redactEmails({ mark: '[who]' }), reflect({ every: 1, most: 1, model, name: 'x' })],
          }),
        ),
      }),
    tools: { mail },
    turns: [
      { calls: [{ name: 'mail', input: {} }] },
      'It goes well.',
      { calls: [{ name: 'mail', input: {} }] },
      'Done.',
    ],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('addresses are redacted')
})

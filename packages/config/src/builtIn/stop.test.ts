import { agent, finalAnswer, reasonAct } from '@interleave/core'
import { confidentAnswer, enforce, forceAction, inOrder, noRepeats } from '@interleave/core/steps'
import { expect, it } from 'vitest'
import { bothWays, search, searching } from '../testing/bothWays.ts'

it('ends in order, and not in circles', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  a:
    model: fast
    tools: [search]
    backend:
      reasonAct:
        stop: { inOrder: [finalAnswer, { confidentAnswer: { threshold: 0.8 } }] }
        before: [{ forceAction: { after: 2 } }]
        between: [{ noRepeats: { times: 2, within: 9, except: [other] } }]
        otherwise: { enforce: { attempts: 1, whenExhausted: fail } }
`,
    byHand: (model) =>
      agent({
        name: 'a',
        model,
        tools: { search },
        backend: reasonAct({
          stop: inOrder(finalAnswer(), confidentAnswer({ threshold: 0.8 })),
          before: [forceAction({ after: 2 })],
          between: [noRepeats({ times: 2, within: 9, except: ['other'] })],
          otherwise: enforce({ attempts: 1, whenExhausted: 'fail' }),
        }),
      }),
    tools: { search },
    turns: ['Hm.', searching, searching, searching],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('settled failed call_repeated')
})

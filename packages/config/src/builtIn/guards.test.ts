import { agent, reasonAct, textAnswer } from '@interleave/core'
import { allow, block, guardCalls, guardInput, guardOutput, postprocess, validate } from '@interleave/core/steps'
import { expect, it } from 'vitest'
import { bothWays, search, searching } from '../testing/bothWays.ts'

const functions = {
  noFire: (message: unknown) => (message === 'Fire' ? block('No fire.') : allow),
  noSearch: () => block('No searching.'),
  short: (answer: unknown) => (String(answer).length > 10 ? 'It is too long.' : undefined),
  shout: (answer: unknown) => String(answer).toUpperCase(),
}

it('guards messages, calls and answers', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  a:
    model: fast
    tools: [search]
    backend:
      reasonAct:
        stop:
          postprocess:
            stop:
              guardOutput:
                stop: { validate: { stop: textAnswer, check: short, attempts: 1 } }
                check: noFire
                name: fire
            change: shout
        before: [{ guardInput: { check: noFire } }]
        between: [{ guardCalls: { check: noSearch } }]
`,
    byHand: (model) =>
      agent({
        name: 'a',
        model,
        tools: { search },
        backend: reasonAct({
          stop: postprocess(
            guardOutput(validate(textAnswer(), functions.short, { attempts: 1 }), functions.noFire, { name: 'fire' }),
            functions.shout,
          ),
          before: [guardInput(functions.noFire)],
          between: [guardCalls(functions.noSearch)],
        }),
      }),
    tools: { search },
    functions,
    turns: [searching, 'This is much too long.', 'Fine.'],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('answer "FINE."')
})

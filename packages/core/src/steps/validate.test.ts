import { laws } from '@interleave/test-kit/laws'
import { resumedEverywhere } from '@interleave/test-kit/resumedEverywhere'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { recorder } from '../history/index.ts'
import { agent, finalAnswer, reasonAct, type Step, textAnswer } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { guardOutput, postprocess, validate } from './judgeAnswers.ts'
import { rewrite } from './verdict.ts'

const short = z.string().max(5)
function made(stop: Step, ...turns: readonly ScriptedTurn[]) {
  const model = scriptedModel(...turns)
  return { model, validated: agent({ name: 'a', model, backend: reasonAct({ stop }) }) }
}
const answering = (answer: string): ScriptedTurn => ({ calls: [{ name: 'final_answer', input: { answer } }] })

it('sends an answer back with the problem of a schema', async () => {
  const { validated } = made(validate(textAnswer(), short), 'Far too long.', 'Short')
  const seen = recorder()
  await validated.start('Go', { observers: [laws(), seen] }).settled

  const verdict = '{"type":"block","reason":"Too big: expected string to have <=5 characters"}'
  expectTrace(
    seen.export().events,
    `
    0 started a
    0 said user "Go"
    1 thought "Far too long."
    1 noted validate/answer {"turn":1,"request":1,"sentBack":1,"verdict":${verdict}}
    1 said agent "The answer was not accepted: Too big: expected string to have <=5 characters Answer again."
    2 thought "Short"
    2 noted validate/answer {"turn":2,"request":1,"sentBack":1,"verdict":{"type":"allow"}}
    2 settled answer "Short"
    `,
  )
})

it.each([
  ['text', textAnswer(), (answer: string): ScriptedTurn => answer],
  ['a final answer', finalAnswer(), answering],
])('fails with the last problem once the attempts are used up, given %s', async (_, stop, turn) => {
  const problem = (text: string) => `not ${text}`
  const { validated, model } = made(validate(stop, problem), ...['a', 'b', 'c', 'd'].map(turn))
  const run = validated.start('Go', { observers: [laws()] })

  const signal = await run.settled
  expect(signal).toMatchObject({ error: { code: 'answer_invalid', message: 'The answer was not accepted: not c' } })
  expect(model.calls).toHaveLength(3)
  run.resume()
  await run.settled
  expect(model.calls).toHaveLength(4)
})

it('counts for each request again', async () => {
  const problem = (text: string) => (text === 'yes' ? undefined : 'Say yes.')
  const { validated } = made(validate(textAnswer(), problem, { attempts: 1 }), 'no', 'yes', 'no', 'yes')
  const run = validated.start('Go')
  await run.settled
  await run.say('Again')

  expect(await run.settled).toMatchObject({ output: 'yes' })
})

it('counts on after a reload in the middle', async () => {
  const problem = (text: string) => `not ${text}`
  const journal = memoryJournal()
  const { validated } = made(validate(textAnswer(), problem, { attempts: 1 }), 'a', new Error('down'), 'b', 'unasked')
  const first = validated.start('Go', { journal })
  await first.settled

  const run = await validated.resume(first.id, { journal })
  run.resume()

  expect(await run.settled).toMatchObject({ error: { code: 'answer_invalid' } })
})

it('may wrap other rules, if each has a name', async () => {
  const trimmed = postprocess<string>(finalAnswer(), (text) => text.trim())
  const guarded = guardOutput<string>(trimmed, (text) => rewrite(text.toLowerCase()))
  const both = validate(validate(guarded, short), z.string().startsWith('y'), { name: 'yes' })
  const { validated } = made(both, answering('   far too long'), answering('No'), answering(' Yes '))

  const run = validated.start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ output: 'yes' })
  expect(await made(validate(validate(textAnswer(), short), short), 'Go').validated.start('Go').settled).toMatchObject({
    error: { code: 'options_invalid' },
  })
})

it('receives a message that comes while it checks', async () => {
  const slow = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 5))
  const { validated } = made(validate(textAnswer(), slow), 'One.', 'Two.')
  const run = validated.start('Go', { observers: [laws()] })
  run.subscribe(({ type, iteration }: { type: string; iteration?: number }) => {
    if (type === 'thought' && iteration === 1) void run.say('Wait')
  })

  expect(await run.settled).toMatchObject({ output: 'Two.' })
})

it.each([
  ['text', textAnswer(), (answer: string): ScriptedTurn => answer],
  ['a final answer', finalAnswer(), answering],
])('counts what it sent back once, also after a crash before the problem, given %s', async (_, stop, turn) => {
  const backend = reasonAct({ stop: validate(stop, short, { attempts: 1 }) })
  const ends = await resumedEverywhere([turn('Far too long.'), turn('Short')], (model) =>
    agent({ name: 'a', model, backend }),
  )

  expect(ends.length).toBeGreaterThan(6)
  for (const { signal } of ends) expect(signal).toMatchObject({ type: 'answer', output: 'Short' })
})

it('names the problem of the answer that it read alone', async () => {
  const twice = { calls: ['Far too long.', 'Short'].map((answer) => ({ name: 'final_answer', input: { answer } })) }
  const { validated } = made(validate(finalAnswer(), short), twice, answering('Short'))
  const run = validated.start('Go', { observers: [laws()] })
  await run.settled

  const [, turn] = run.state.history.flat()
  expect(turn).toMatchObject({
    calls: [
      { result: { value: expect.stringContaining('not accepted') } },
      { result: { value: expect.stringMatching(/^Not read/) } },
    ],
  })
})

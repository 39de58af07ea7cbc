import { laws } from '@interleave/test-kit/laws'
import { finishPart } from '@interleave/test-kit/providerParts'
import { resumedEverywhere } from '@interleave/test-kit/resumedEverywhere'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openCalls, recorder } from '../history/index.ts'
import {
  agent,
  answer,
  finalAnswer,
  type RunState,
  reasonAct,
  type Schema,
  type Step,
  textAnswer,
  tool,
} from '../index.ts'
import { inOrder } from '../step.ts'
import { confidentAnswer } from './confidentAnswer.ts'

const sure = (answer: unknown, confidence?: unknown) => ({
  calls: [{ name: 'answer_with_confidence', input: { answer, confidence } }],
})
const look = tool({ inputSchema: z.object({}), execute: () => 'It is five.' })

function start<T = string>(
  turns: readonly ScriptedTurn[],
  { stop = confidentAnswer(), output }: { stop?: Step; output?: Schema<T> } = {},
) {
  const model = scriptedModel(...turns)
  const backend = reasonAct({ stop, limits: { iterations: 5 } })
  const described = agent<T>({ name: 'a', model, tools: { look }, backend, ...(output && { output: answer(output) }) })
  return { run: described.start('Go', { observers: [laws()] }), model }
}
const lastOf = (model: ReturnType<typeof scriptedModel>, call: number) =>
  JSON.stringify(model.calls[call]?.prompt.at(-1))

it('ends when the model is sure enough, and lets it find out more before', async () => {
  const bundle = recorder()
  const model = scriptedModel(sure('Four.', 0.4), { calls: [{ name: 'look', input: {} }] }, sure('Five.', 0.95))
  const guide = agent({ name: 'guide', model, tools: { look }, backend: reasonAct({ stop: confidentAnswer() }) })
  await guide.start('How many?', { observers: [bundle] }).settled

  expectTrace(
    bundle.export().events,
    `
    0 started guide
    0 said user "How many?"
    1 thought "" answer_with_confidence({"answer":"Four.","confidence":0.4})
    1 observed 1/tool/0 text "A confidence of 0.4 is not enough. Verify what you are unsure of, or find out what is missing, and answer again."
    2 thought "" look({})
    2 claimed 2/tool/0
    2 observed 2/tool/0 text "It is five."
    3 thought "" answer_with_confidence({"answer":"Five.","confidence":0.95})
    3 observed 3/tool/0 text "Accepted."
    3 settled answer "Five."
    `,
  )
})

it('reads the confidence from the last line of a text, and takes it off', async () => {
  const bundle = recorder()
  const model = scriptedModel(
    'Four.',
    'Four.\nConfidence: 92',
    'Four.\nConfidence: 40%',
    'Five.\n\n**Confidence:** 92/100',
  )
  const guide = agent({ name: 'guide', model, backend: reasonAct({ stop: confidentAnswer({ textOnly: true }) }) })
  const signal = await guide.start('How many?', { observers: [bundle] }).settled

  expect(signal).toEqual({ type: 'answer', output: 'Five.', reason: 'confidence', confidence: 0.92 })
  expectTrace(
    bundle.export().events,
    `
    0 started guide
    0 said user "How many?"
    1 thought "Four."
    1 said agent "State your confidence in the answer as a number from 0 to 1. Answer again, with a last line such as \\"Confidence: 0.75\\"."
    2 thought "Four.\\nConfidence: 92"
    2 said agent "State your confidence in the answer as a number from 0 to 1. \\"92\\" is no such number. Answer again, with a last line such as \\"Confidence: 0.75\\"."
    3 thought "Four.\\nConfidence: 40%"
    3 said agent "A confidence of 0.4 is not enough. Verify what you are unsure of, or find out what is missing, and answer again."
    4 thought "Five.\\n\\n**Confidence:** 92/100"
    4 settled answer "Five."
    `,
  )
})

it('tells the model beforehand, and not how sure it has to be', async () => {
  const { run, model } = start([sure(5, 1)], { output: z.number() })
  await run.settled

  const [call] = model.calls
  expect(call?.prompt[0]).toMatchObject({ role: 'system', content: expect.stringContaining('confidence') })
  expect(call?.tools?.at(-1)).toMatchObject({
    name: 'answer_with_confidence',
    inputSchema: {
      properties: { answer: { type: 'number' }, confidence: { type: 'number', minimum: 0, maximum: 1 } },
      required: ['answer', 'confidence'],
    },
  })
  expect(JSON.stringify(call)).not.toContain('0.9')
})

const point = z.object({ n: z.number() })
it.each<[ScriptedTurn, Schema | undefined, unknown, number]>([
  [sure({ n: 1 }, 0.9), point, { n: 1 }, 0.9],
  [sure('{"n":1}', '95%'), point, { n: 1 }, 0.95],
  [{ calls: [{ name: 'answer_with_confidence', input: { n: 1, confidence: 1 } }] }, point, { n: 1 }, 1],
  [{ calls: [{ name: 'answer_with_confidence', input: '"{\\"answer\\":5,\\"confidence\\":1}"' }] }, z.int(), 5, 1],
  ['```json\n{"n":1}\n```\nConfidence: 1', point, { n: 1 }, 1],
  ['Five.\nConfidence: 1.0', undefined, 'Five.', 1],
])('%#. takes an answer as models give it', async (turn, output, expected, confidence) => {
  const { run } = start([turn], output && { output })

  expect(await run.settled).toEqual({ type: 'answer', output: expected, reason: 'confidence', confidence })
})

it.each<[ScriptedTurn, RegExp]>([
  [sure({ n: 1 }), /State your confidence/],
  [sure({ n: 1 }, 92), /92 is no such number/],
  [sure({ n: 1 }, 'NaN'), /NaN\W+is no such number/],
  [sure({ n: 'x' }, 1), /n: /],
  [{ calls: [{ name: 'answer_with_confidence', input: '{"answer":' }] }, /not usable JSON/],
  [{ calls: [{ name: 'answer_with_confidence', input: { confidence: 1 } }] }, /there is none/],
  ['Confidence: 1', /there is none/],
  ['Five.\nConfidence: 1', /of type object/],
  ['{"n":1}', /State your confidence/],
])('%#. refuses what it cannot use, in words', async (turn, words) => {
  const { run, model } = start([turn, sure({ n: 1 }, 1)], { output: point })

  expect(await run.settled).toMatchObject({ output: { n: 1 } })
  expect(lastOf(model, 1)).toMatch(words)
})

it('continues until a limit, and keeps the threshold that it is given', async () => {
  const turns = Array.from({ length: 5 }, () => sure('Four.', 0.5))

  expect(await start(turns).run.settled).toMatchObject({ type: 'limitReached', used: 5 })
  expect(await start(turns, { stop: confidentAnswer({ threshold: 0.5 }) }).run.settled).toMatchObject({
    confidence: 0.5,
  })
})

it('says what to do next in the words of the app', async () => {
  const advise = (confidence: number, state: RunState) => `Only ${confidence} in turn ${state.iteration}? Look it up.`
  const { run, model } = start([sure('Four.', 0.5), sure('Five.', 1)], { stop: confidentAnswer({ advise }) })
  await run.settled

  expect(lastOf(model, 1)).toContain('Only 0.5 in turn 1? Look it up.')
})

const [final, confident] = [finalAnswer(), confidentAnswer()]
const finish = { name: 'final_answer', input: { answer: 'Final.' } }
const both = { calls: [finish, ...sure('Sure.', 1).calls] }
const unsure = { calls: [...sure('Four.', 0.1).calls, finish] }
it.each<[string, Step, ScriptedTurn, string]>([
  ['the final answer', inOrder(final, confident), { calls: [finish] }, 'Final.'],
  ['a sure one', inOrder(final, confident), sure('Sure.', 1), 'Sure.'],
  ['the final of both', inOrder(final, confident), both, 'Final.'],
  ['the final answer, the other way round', inOrder(confident, final), { calls: [finish] }, 'Final.'],
  ['a sure one, the other way round', inOrder(confident, final), sure('Sure.', 1), 'Sure.'],
  ['the sure one of both', inOrder(confident, final), both, 'Sure.'],
  ['the final one beside one that is not sure', inOrder(confident, final), unsure, 'Final.'],
])('ends a hybrid with %s, and leaves no call open', async (_, stop, turn, output) => {
  const { run } = start([turn, sure('And on.', 1)], { stop })

  expect(await run.settled).toMatchObject({ type: 'answer', output })
  expect(openCalls(run.state)).toEqual([])
  await run.say('And now?')

  expect(await run.settled).toMatchObject({ output: 'And on.' })
})

it('closes unread what the rule of a hybrid called that did not speak', async () => {
  const bundle = recorder()
  const model = scriptedModel(unsure)
  const backend = reasonAct({ stop: inOrder(confidentAnswer(), finalAnswer()) })
  await agent({ name: 'guide', model, backend }).start('How many?', { observers: [bundle] }).settled

  expectTrace(
    bundle.export().events,
    `
    0 started guide
    0 said user "How many?"
    1 thought "" answer_with_confidence({"answer":"Four.","confidence":0.1}) final_answer({"answer":"Final."})
    1 observed 1/tool/0 text "A confidence of 0.1 is not enough. Verify what you are unsure of, or find out what is missing, and answer again."
    1 observed 1/tool/1 text "Accepted."
    1 settled answer "Final."
    `,
  )
})

it('continues next to a rule for texts, as long as it has words for the model itself', async () => {
  const { run } = start(['Four.\nConfidence: 0.1', 'Five.\nConfidence: 1'], {
    stop: inOrder(confidentAnswer(), textAnswer()),
  })

  expect(await run.settled).toMatchObject({ output: 'Five.', reason: 'confidence' })
})

it('continues in the middle after a reload', async () => {
  const backend = reasonAct({ stop: confidentAnswer() })
  const turns = [sure('Four.', 0.5), 'Five.', 'Five.\nConfidence: 1']
  const ends = await resumedEverywhere(turns, (model) => agent({ name: 'a', model, backend }))

  expect(ends.length).toBeGreaterThan(6)
  for (const { signal } of ends)
    expect(signal).toEqual({ type: 'answer', output: 'Five.', reason: 'confidence', confidence: 1 })
})

it.each<[Parameters<typeof confidentAnswer>[0], RegExp]>([
  [{ threshold: 0 }, /threshold/],
  [{ threshold: 1.1 }, /threshold/],
  [{ threshold: Number.NaN }, /threshold/],
  [{ name: 'my answer' }, /providers refuse/],
  [{ output: 'text' as never }, /schema/],
])('refuses the options %j', (options, message) => {
  expect(() => confidentAnswer(options)).toThrow(message)
})

it('fails where the provider withheld the answer', async () => {
  const { run } = start([[finishPart('content-filter')]])

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_filtered' } })
})

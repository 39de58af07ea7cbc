import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, answer, finalAnswer, reasonAct, textAnswer } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { postprocess } from './judgeAnswers.ts'

it('changes a typed answer, knowing the state', async () => {
  const output = z.object({ title: z.string(), turns: z.number() })
  const stop = postprocess<z.infer<typeof output>>(finalAnswer(), async (answer, { iteration }) => ({
    ...answer,
    turns: iteration,
  }))
  const model = scriptedModel({ calls: [{ name: 'final_answer', input: { title: 'T', turns: 0 } }] })

  const signal = await agent({ name: 'a', model, output: answer(output), backend: reasonAct({ stop }) }).start('Go')
    .settled

  expect(signal).toMatchObject({ type: 'answer', output: { title: 'T', turns: 1 } })
})

it('works once for each answer, also after a reload', async () => {
  let worked = 0
  const backend = reasonAct({ stop: postprocess<string>(textAnswer(), (text) => `${text}${++worked}`) })
  const made = agent({ name: 'a', model: scriptedModel('One', 'Two'), backend })
  const journal = memoryJournal()
  const first = made.start('Go', { journal })
  await first.settled
  const other = memoryJournal()
  await other.append(first.id, (await journal.read(first.id)).slice(0, -1))

  const run = await made.resume(first.id, { journal: other })
  expect(await run.settled).toMatchObject({ output: 'One1' })
  await run.say('More')
  expect(await run.settled).toMatchObject({ output: 'Two2' })
})

it('fails when it throws, or gives what the agent does not answer', async () => {
  const throwing = postprocess(textAnswer(), () => Promise.reject(new Error('broken')))
  const numeric = postprocess<unknown>(textAnswer(), () => 5)
  const start = (stop: typeof throwing) =>
    agent({ name: 'a', model: scriptedModel('One'), backend: reasonAct({ stop }) }).start('Go')

  expect(await start(throwing).settled).toMatchObject({ error: { code: 'step_failed', message: 'broken' } })
  expect(await start(numeric).settled).toMatchObject({ error: { code: 'answer_invalid' } })
})

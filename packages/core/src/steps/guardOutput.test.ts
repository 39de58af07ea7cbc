import { laws } from '@interleave/test-kit/laws'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { fold, recorder } from '../history/index.ts'
import { agent, answer, finalAnswer, reasonAct, type Step, textAnswer } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { guardOutput } from './judgeAnswers.ts'
import { allow, block, type Check, rewrite } from './verdict.ts'

const polite: Check<string> = (text) => {
  if (text.includes('damn')) return block('It is rude.')
  return text.includes('!') ? rewrite(text.replaceAll('!', '.')) : allow
}
function made(stop: Step, ...turns: readonly ScriptedTurn[]) {
  const model = scriptedModel(...turns)
  return { model, guarded: agent({ name: 'a', model, backend: reasonAct({ stop }) }) }
}
const answering = (answer: string): ScriptedTurn => ({ calls: [{ name: 'final_answer', input: { answer } }] })

it('changes what is answered', async () => {
  const { guarded } = made(guardOutput(textAnswer(), polite), 'Hello!')

  expect(await guarded.start('Hi').settled).toEqual({ type: 'answer', output: 'Hello.', reason: 'text' })
})

it('fails with the reason, and continues with the next message', async () => {
  const { guarded, model } = made(guardOutput(textAnswer(), polite), 'damn', 'Hello.')
  const run = guarded.start('Hi', { observers: [laws()] })

  const message = 'The answer was not accepted: It is rude.'
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'guard_blocked', message } })
  await run.say('Once more')
  expect(await run.settled).toMatchObject({ output: 'Hello.' })
  expect(model.calls[1]?.prompt.slice(-2)).toMatchObject([
    { content: [{ text: `${message} Answer again.` }] },
    { content: [{ text: 'Once more' }] },
  ])
})

it('sends a final answer back as what came of its call, and takes the next', async () => {
  const { guarded } = made(guardOutput(finalAnswer(), polite, { attempts: 1 }), answering('damn'), answering('Hi!'))
  const seen = recorder()
  await guarded.start('Hi', { observers: [laws(), seen] }).settled

  expectTrace(
    seen.export().events,
    `
    0 started a
    0 said user "Hi"
    1 thought "" final_answer({"answer":"damn"})
    1 noted guard/output {"turn":1,"request":1,"sentBack":1,"verdict":{"type":"block","reason":"It is rude."}}
    1 observed 1/tool/0 error-text "The answer was not accepted: It is rude."
    2 thought "" final_answer({"answer":"Hi!"})
    2 noted guard/output {"turn":2,"request":1,"sentBack":1,"verdict":{"type":"rewrite","value":"Hi.","reason":"Rewritten."}}
    2 observed 2/tool/0 text "Accepted."
    2 settled answer "Hi."
    `,
  )
})

it('refuses a rewrite that is not what the agent answers', async () => {
  const backend = reasonAct({ stop: guardOutput(finalAnswer(), () => rewrite({ n: 'many' })) })
  const model = scriptedModel({ calls: [{ name: 'final_answer', input: { n: 1 } }] })
  const run = agent({ name: 'a', model, output: answer(z.object({ n: z.number() })), backend }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'answer_invalid' } })
})

it('rewrites what a schema made of the answer', async () => {
  const backend = reasonAct({ stop: guardOutput<number>(finalAnswer(), (n) => rewrite(n + 1)) })
  const model = scriptedModel({ calls: [{ name: 'final_answer', input: { answer: '1' } }] })
  const output = z.string().transform(Number)
  const run = agent({ name: 'a', model, output: answer(output), backend }).start('Go')

  expect(await run.settled).toMatchObject({ output: 2 })
})

it('lets no answer through when the check throws, and judges again on resume', async () => {
  let works = false
  const check: Check<string> = () => (works ? allow : Promise.reject(new Error('no network')))
  const { guarded, model } = made(guardOutput(finalAnswer(), check), answering('Hello.'))
  const run = guarded.start('Hi', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ error: { code: 'guard_failed' } })
  works = true
  run.resume()
  expect(await run.settled).toMatchObject({ output: 'Hello.' })
  expect(model.calls).toHaveLength(1)
})

it('judges an answer once, also when the page went away before the run settled', async () => {
  const seen: string[] = []
  const check: Check<string> = (text) => {
    seen.push(text)
    return polite(text, undefined as never)
  }
  const { guarded, model } = made(guardOutput(finalAnswer(), check), answering('Hello!'))
  const journal = memoryJournal()
  const first = guarded.start('Hi', { journal })
  await first.settled
  const upToTheNote = (await journal.read(first.id)).slice(0, 4)
  const other = memoryJournal()
  await other.append(first.id, upToTheNote)

  const run = await guarded.resume(first.id, { journal: other, observers: [laws(fold(upToTheNote))] })

  expect(upToTheNote.at(-1)).toMatchObject({ type: 'noted' })
  expect(await run.settled).toMatchObject({ output: 'Hello.' })
  expect([seen, model.calls.length]).toEqual([['Hello!'], 1])
})

it('can be stopped while it judges', async () => {
  let hangs = true
  const check: Check<string> = () => (hangs ? new Promise(() => {}) : allow)
  const { guarded } = made(guardOutput(finalAnswer(), check), answering('One.'), answering('Two.'))
  const run = guarded.start('Hi', { observers: [laws()] })
  await new Promise((resolve) => setTimeout(resolve, 5))
  await run.stop()
  hangs = false
  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Two.' })
})

it('keeps a blocked answer in the log and in what the model sees, and has streamed it', async () => {
  const { guarded, model } = made(guardOutput(textAnswer(), polite), 'damn', 'Hello.')
  const streamed: string[] = []
  const run = guarded.start('Hi', { observers: [(event) => event.type === 'delta' && streamed.push(event.delta)] })
  await run.settled
  await run.say('Once more')
  await run.settled

  expect(streamed.join('')).toContain('damn')
  expect(JSON.stringify(run.log)).toContain('"damn"')
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('"damn"')
  expect(run.log.flatMap((event) => (event.type === 'settled' ? [event.signal.type] : []))).toEqual([
    'failed',
    'answer',
  ])
})

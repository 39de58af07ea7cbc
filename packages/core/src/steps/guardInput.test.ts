import { laws } from '@interleave/test-kit/laws'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, answer, type Json, reasonAct, type Step, tool, type UserContent } from '../index.ts'
import { memoryJournal, savedRun } from '../journal/index.ts'
import { guardInput } from './guard.ts'
import { allow, block, rewrite } from './verdict.ts'

const noSecrets = (content: UserContent) => (String(content).includes('secret') ? block('It holds a secret.') : allow)
const keeping = (seen: UserContent[]) => (content: UserContent) => {
  seen.push(content)
  return noSecrets(content)
}
function made(guard: Step | readonly Step[], ...turns: readonly ScriptedTurn[]) {
  const model = scriptedModel(...turns)
  return { model, guarded: agent({ name: 'a', model, backend: reasonAct({ before: [guard].flat() }) }) }
}
const textsOf = ({ calls }: ReturnType<typeof scriptedModel>, turn = -1) =>
  calls
    .at(turn)
    ?.prompt.flatMap(({ role, content }) =>
      role === 'user' ? content.flatMap((part) => (part.type === 'text' ? part.text : [])) : [],
    )

it('gives the model a rewritten message in place of what the user said', async () => {
  const shout = guardInput((content) => rewrite(`${content}!`, 'Louder.'))
  const { model, guarded } = made(shout, 'Hello.')
  const seen: unknown[] = []
  const run = guarded.start('Hi', { observers: [laws(), (event) => seen.push(event)] })
  await run.settled

  expect(textsOf(model)).toEqual(['Hi!'])
  expectTrace(
    seen as never,
    `
    0 started a
    0 said user "Hi"
    0 amended 1 "Louder."
    0 noted guard/input {"until":2}
    1 thought "Hello."
    1 settled answer "Hello."
    `,
  )
})

it('ends the request for a blocked message, and never gives it to the model', async () => {
  const { model, guarded } = made(guardInput(noSecrets), 'Hello.')
  const run = guarded.start('A secret', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'guard_blocked' } })
  await run.say('Hi')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello.' })
  expect(textsOf(model)).toEqual(['Hi'])
})

it('stays at the blocked message when the run is resumed, also elsewhere', async () => {
  const seen: UserContent[] = []
  const { model, guarded } = made(guardInput(keeping(seen)))
  const run = guarded.start('A secret')
  await run.settled

  const again = await guarded.resume(savedRun(JSON.parse(JSON.stringify(run.log))))
  again.resume()

  expect(await again.settled).toMatchObject({ type: 'failed', error: { code: 'guard_blocked' } })
  expect([seen.length, model.calls.length]).toEqual([1, 0])
})

it('answers in words of its own where it is given some', async () => {
  const { guarded } = made(guardInput(noSecrets, { answer: (reason) => `I cannot: ${reason}` }), 'Hello.')
  const run = guarded.start('A secret', { observers: [laws()] })

  expect(await run.settled).toEqual({ type: 'answer', output: 'I cannot: It holds a secret.', reason: 'blocked' })
  await run.say('Hi')
  expect(await run.settled).toMatchObject({ output: 'Hello.' })
})

it('refuses an answer that does not fit the agent', async () => {
  const backend = reasonAct({ before: [guardInput(noSecrets, { answer: () => 'No.' })] })
  const run = agent({ name: 'a', model: scriptedModel(), output: answer(z.object({ n: z.number() })), backend }).start(
    'secret',
  )

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'answer_invalid' } })
})

it('omits a blocked message that others followed', async () => {
  const { model, guarded } = made(guardInput(noSecrets), 'Hello.')
  const run = guarded.start('A secret')
  void run.say('Or rather: hi')

  expect(await run.settled).toMatchObject({ output: 'Hello.' })
  expect(textsOf(model)).toEqual(['Or rather: hi'])
})

it('judges messages that come while it judges, before the model receives them', async () => {
  const slow = guardInput(async (content) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return noSecrets(content)
  })
  const { model, guarded } = made(slow, 'Hello.')
  const run = guarded.start('Hi')
  await Promise.resolve()
  await run.say('A secret')

  expect(await run.settled).toMatchObject({ type: 'failed' })
  expect(model.calls).toEqual([])
})

it('lets no one slip in between the guard and the thought', async () => {
  const gap: Step = async (run) => {
    if (run.state.iteration === 0) run.emit({ type: 'said', by: 'user', content: 'A secret' })
    return undefined
  }
  const { model, guarded } = made([guardInput(noSecrets), gap], 'Hello.')
  const run = guarded.start('Hi')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'guard_blocked' } })
  expect(model.calls).toHaveLength(1)
  expect(textsOf(model)).toEqual(['Hi'])
})

it('judges a message once, in many turns and after a reload', async () => {
  const seen: UserContent[] = []
  const guard = guardInput(keeping(seen))
  const wait = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: (): Json => 'ok' })
  const turns = [{ calls: [{ name: 'wait', input: {} }] }, new Error('down'), 'Done.', 'Again.']
  const model = scriptedModel(...turns)
  const guarded = agent({ name: 'a', model, tools: { wait }, backend: reasonAct({ before: [guard] }) })
  const journal = memoryJournal()
  const first = guarded.start('Hi', { journal })
  await first.settled

  const run = await guarded.resume(first.id, { journal })
  run.resume()
  await run.settled
  await run.say('Bye')
  await run.settled

  expect(seen).toEqual(['Hi', 'Bye'])
})

it.each([
  ['throws', () => Promise.reject(new Error('no network')), 'no network'],
  ['says nothing', () => undefined as never, 'no verdict'],
])('lets nothing through when the check %s, and judges again on resume', async (_, broken, message) => {
  let works = false
  const { model, guarded } = made(
    guardInput((content) => (works ? noSecrets(content) : broken())),
    'Hello.',
  )
  const run = guarded.start('Hi')

  const signal = await run.settled
  expect(signal).toMatchObject({ error: { code: 'guard_failed', message: expect.stringContaining(message) } })
  expect(model.calls).toEqual([])
  works = true
  run.resume()
  expect(await run.settled).toMatchObject({ output: 'Hello.' })
})

it('refuses two guards that would share their note', async () => {
  const { guarded } = made([guardInput(noSecrets), guardInput(noSecrets)])
  const { guarded: named } = made([guardInput(noSecrets), guardInput(noSecrets, { name: 'second' })], 'Hello.')

  expect(await guarded.start('Hi').settled).toMatchObject({ error: { code: 'options_invalid' } })
  expect(await named.start('Hi').settled).toMatchObject({ output: 'Hello.' })
})

it('can be stopped while it judges, and judges again', async () => {
  let hangs = true
  const { guarded } = made(
    guardInput(() => (hangs ? new Promise(() => {}) : allow)),
    'Hello.',
  )
  const run = guarded.start('Hi')
  await Promise.resolve()
  await run.stop()
  hangs = false
  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Hello.' })
})

it('keeps the runs of one agent apart', async () => {
  const { guarded } = made(guardInput(noSecrets), ...Array.from({ length: 10 }, () => 'Hello.'))
  const runs = Array.from({ length: 20 }, (_, index) => guarded.start(index % 2 ? 'Hi' : 'A secret'))

  const signals = await Promise.all(runs.map((run) => run.settled))

  expect(signals.map(({ type }) => type)).toEqual(runs.map((_, index) => (index % 2 ? 'answer' : 'failed')))
})

it.each<[string, () => never]>([
  ['blocks', () => block(undefined as never) as never],
  ['rewrites', () => ({ type: 'rewrite', value: 'Hi', reason: 5 }) as never],
])('lets nothing through if a check %s without a text as the reason', async (_, check) => {
  const journal = memoryJournal()
  const { model, guarded } = made(guardInput(check), 'Hello.')
  const run = guarded.start('A secret', { id: 'r', journal })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'guard_failed' } })
  expect(model.calls).toHaveLength(0)
  expect((await guarded.resume('r', { journal })).state).toEqual(run.state)
})

import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent, reasonAct, type UserContent } from '../index.ts'
import { type GuardInputOptions, guardInput } from './guard.ts'
import { allow, block, type Check, rewrite } from './verdict.ts'

const soon = () => new Promise((resolve) => setTimeout(resolve, 5))
const noSecrets: Check<UserContent, never> = async (content) => {
  await soon()
  return String(content).includes('secret') ? block('It holds a secret.') : allow
}
function start(turns: readonly ScriptedTurn[], options: GuardInputOptions = {}, check = noSecrets) {
  const model = scriptedModel(...turns)
  const backend = reasonAct({ before: [guardInput(check, { ...options, parallel: true })] })
  return { model, run: agent({ name: 'a', model, backend }).start('A secret', { observers: [laws()] }) }
}
const endless: ScriptedTurn = () => new Promise(() => {})

it('works next to the model call, and gives the turn up', async () => {
  const { model, run } = start([endless, 'Hello.'])

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'guard_blocked' } })
  expect(model.calls).toHaveLength(1)
  await run.say('Hi')
  expect(await run.settled).toMatchObject({ output: 'Hello.' })
  expect(model.calls[1]?.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }])
})

it('acts on nothing of a turn that was over first, and counts what it took', async () => {
  const { run } = start([{ text: 'Paying.', calls: [{ name: 'pay', input: {} }] }])
  const types: string[] = []
  run.subscribe(({ type }) => types.push(type))

  expect(await run.settled).toMatchObject({ error: { code: 'guard_blocked' } })
  expect(types).not.toContain('observed')
  expect(run.state.usage.inputTokens).toBe(10)
  expect(run.state.history.flat()).toMatchObject([{ parts: [], calls: [] }])
})

it('asks the model no second time when a blocked run is resumed', async () => {
  const { model, run } = start(['Hello.'])
  await run.settled
  run.resume()

  expect(await run.settled).toMatchObject({ error: { code: 'guard_blocked' } })
  expect(model.calls).toHaveLength(1)
})

it('answers in words of its own', async () => {
  const { run } = start(['Hello.'], { answer: () => 'No.' })

  expect(await run.settled).toEqual({ type: 'answer', output: 'No.', reason: 'blocked' })
})

it('lets a turn through that passes', async () => {
  const { run } = start(['Hello.'], {}, async () => allow)

  expect(await run.settled).toMatchObject({ output: 'Hello.' })
})

it('cannot rewrite what the model has already', async () => {
  const { run } = start(['Hello.'], {}, () => rewrite('x') as never)
  // @ts-expect-error such a check allows or blocks
  guardInput((content) => rewrite(content), { parallel: true })

  const message = expect.stringContaining('cannot rewrite')
  expect(await run.settled).toMatchObject({ error: { code: 'guard_failed', message } })
})

it('judges again after a stop in the middle', async () => {
  const { model, run } = start([endless, 'Hello.'])
  await Promise.resolve()
  await run.stop()
  run.resume()

  expect(await run.settled).toMatchObject({ error: { code: 'guard_blocked' } })
  expect(model.calls).toHaveLength(2)
})

it('asks again without a blocked message that another one followed', async () => {
  const { model, run } = start(['Hello.', 'Hello again.'])
  void run.say('Or rather: hi')

  expect(await run.settled).toMatchObject({ output: 'Hello again.' })
  expect(model.calls.map(({ prompt }) => prompt.length)).toEqual([1, 1])
})

it('stands next to other guards, each with a word of its own', async () => {
  const noNames: Check<UserContent, never> = (content) => (String(content).includes('Ada') ? block('A name.') : allow)
  const before = [
    guardInput(noSecrets, { parallel: true }),
    guardInput(noNames, { parallel: true, name: 'names' }),
    guardInput((content) => rewrite(`${content}!`), { name: 'loud' }),
  ]
  const model = scriptedModel('Hello.', endless, endless, 'Bye.')
  const run = agent({ name: 'a', model, backend: reasonAct({ before }) }).start('Hi', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ output: 'Hello.' })
  for (const text of ['I am Ada', 'A secret']) {
    await run.say(text)
    expect(await run.settled).toMatchObject({ error: { code: 'guard_blocked' } })
  }
  await run.say('Bye')
  expect(await run.settled).toMatchObject({ output: 'Bye.' })
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).not.toMatch(/Ada|secret/)
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).toMatch(/Hi!.*Bye!/)
})

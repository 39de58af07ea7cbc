import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { ReasonActOptions } from '../agents/reasonAct.ts'
import { agent, reasonAct, textAnswer, tool } from '../index.ts'
import { guardCalls, guardInput } from './guard.ts'
import { guardOutput, postprocess, validate } from './judgeAnswers.ts'

const never = () => new Promise<never>(() => {})
const pay = tool({ inputSchema: z.object({}), execute: () => 'paid' })
const calling = { calls: [{ name: 'pay', input: {} }] }

it.each<[string, ReasonActOptions]>([
  ['guardInput()', { before: [guardInput(never)] }],
  ['guardInput({ parallel })', { before: [guardInput(never, { parallel: true })] }],
  ['guardCalls()', { between: [guardCalls(never)] }],
  ['guardOutput()', { stop: guardOutput(textAnswer(), never) }],
  ['validate()', { stop: validate(textAnswer(), never) }],
  ['postprocess()', { stop: postprocess(textAnswer(), never) }],
])('%s ends a check that never settles when its time is up', async (name, options) => {
  const host = manualHost()
  const model = scriptedModel(name === 'guardCalls()' ? calling : 'Hello.')
  const run = agent({ name: 'a', model, tools: { pay }, backend: reasonAct(options) }).start('Go', { host })
  await host.advance(59_000)
  expect(run.state.signal).toBeUndefined()
  await host.advance(2_000)

  const message = expect.stringMatching(/took longer than 60000 ms/)
  expect(run.state.signal).toMatchObject({ type: 'failed', error: { message } })
  expect(host.timers).toBe(0)
})

it('takes the time of a check from `timeoutMs`', async () => {
  const host = manualHost()
  const limited = (timeoutMs: number) =>
    agent({ name: 'a', model: scriptedModel(), backend: reasonAct({ before: [guardInput(never, { timeoutMs })] }) })
  const run = limited(5).start('Go', { host })
  await host.advance(5)

  expect(run.state.signal).toMatchObject({ error: { code: 'guard_failed' } })
  expect(() => limited(0)).toThrow('The `timeoutMs` of guardInput() must be a number above 0.')
})

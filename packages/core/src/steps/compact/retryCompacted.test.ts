import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, tool } from '../../index.ts'
import { inOrder } from '../../step.ts'
import { think } from '../think.ts'
import { compact, retryCompacted } from './compact.ts'
import { cutResults } from './cutResults.ts'
import { estimateMessages } from './tokens.ts'

const read = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'word '.repeat(900) })
const reads: ScriptedTurn = { calls: [{ name: 'read', input: {} }] }
const refusal = new Error('prompt is too long: 210000 tokens > 200000 maximum')

function start(...turns: ScriptedTurn[]) {
  const model = scriptedModel(...turns)
  const before = [compact({ contextWindow: 100_000, strategies: [cutResults()], keep: 1 })]
  const made = agent({ name: 'reader', model, tools: { read }, backend: retryCompacted(reasonAct({ before })) })
  return { model, run: made.start('Find the word', { observers: [laws()] }) }
}

it('asks again with less where the model found the prompt too long', async () => {
  const { run, model } = start(reads, reads, refusal, 'Found.')

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(run.state.compactions).toBe(1)
  expect(estimateMessages(model.calls[2]?.prompt ?? [])).toBeGreaterThan(1_800)
  expect(estimateMessages(model.calls[3]?.prompt ?? [])).toBeLessThan(1_200)
})

it('fails where the model refuses twice in a row, and tries again when told to', async () => {
  const { run, model } = start(reads, reads, refusal, refusal, 'Found.')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'context_full', message: refusal.message } })
  expect(model.calls).toHaveLength(4)
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(run.state.compactions).toBe(2)
})

it('lets every other failure be', async () => {
  const { run, model } = start(reads, new Error('Incorrect API key.'), 'unasked')

  expect(await run.settled).toMatchObject({ type: 'failed' })
  expect(model.calls).toHaveLength(2)
})

it('fails with another failure that follows a rejected prompt', async () => {
  const blocked = { type: 'failed', error: { code: 'guard_blocked', message: 'No.', retryable: false } } as const
  const backend = retryCompacted(inOrder(({ state }) => (state.iteration > 0 ? blocked : undefined), think()))

  const run = agent({ name: 'reader', model: scriptedModel(refusal), backend }).start('Go')

  expect(await run.settled).toEqual(blocked)
})

it('keeps the tools of the backend that it goes around', () => {
  const backend = reasonAct()

  expect(retryCompacted(backend).tools).toBe(backend.tools)
})

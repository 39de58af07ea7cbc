import { ROOT_CONTEXT } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { ModelCalls, type ModelEffect } from './modelCalls.ts'
import { Collected } from './testing/collect.ts'

it('ends the call of another object of the run, which lost it to this one', () => {
  const collected = new Collected()
  const { tracer } = collected
  const context = {
    ...{ tracer, now: () => 5, content: undefined, metrics: undefined },
    parentOf: () => ROOT_CONTEXT,
    conversationOf: () => 'r',
  }
  const calls = new ModelCalls(context)
  const effect = { kind: 'model', key: '1/model/0', name: 'm', request: { prompt: [] } } satisfies ModelEffect

  for (const _ of ['the earlier object', 'this one']) calls.beginTurn(effect, 'p', ROOT_CONTEXT)
  calls.pause(6, 'answer')

  expect(collected.open).toBe(0)
})

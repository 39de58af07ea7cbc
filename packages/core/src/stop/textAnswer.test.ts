import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { finishPart } from '@interleave/test-kit/providerParts'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent } from '../index.ts'

/** A turn that ran into the model's limit of output. */
const cutAt = (text: string): LanguageModelV4StreamPart[] => [
  { type: 'text-delta', id: '0', delta: text },
  finishPart('length'),
]

const signalOf = (text: string) => agent({ name: 'a', model: scriptedModel(cutAt(text)) }).start('Go').settled

it('says of an answer that the limit of output cut it off', async () => {
  expect(await signalOf('Once upon')).toEqual({ type: 'answer', output: 'Once upon', reason: 'length' })
})

it('takes nothing for no answer', async () => {
  expect(await signalOf('')).toMatchObject({ type: 'failed', error: { code: 'model_incomplete' } })
})

import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import type { Doing } from './doing.ts'
import type { ModelErrand } from './hostMessage.ts'
import { pack, unpack } from './packed.ts'

export interface PageModels {
  readonly models: Readonly<Record<string, LanguageModelV4>>
  readonly doing: Doing
}

/** Asks a model of this page for the worker. */
export async function performModel(errand: ModelErrand, { models, doing }: PageModels): Promise<void> {
  const { call, name, does } = errand
  const model = Object.hasOwn(models, name) ? models[name] : undefined
  if (!model) throw new AgentError('model_failed', `This page has no model "${name}".`)
  const { abortSignal } = doing
  const options = { ...(unpack(errand.options) as LanguageModelV4CallOptions), abortSignal }
  if (does === 'generate') {
    // What was sent and received over the network is for the place that did so.
    const { request: _, response: __, ...result } = await model.doGenerate(options)
    doing.send({ type: 'generated', call, value: pack(result) })
    return
  }
  const { stream } = await model.doStream(options)
  doing.send({ type: 'began', call })
  await relayStream(call, stream, doing)
}

/** Reads no further ahead than the worker allows. */
async function relayStream(
  errand: string,
  stream: ReadableStream<LanguageModelV4StreamPart>,
  doing: Doing,
): Promise<void> {
  const { abortSignal, send } = doing
  const reader = stream.getReader()
  const leave = (): void => void reader.cancel(abortSignal.reason).catch(() => {})
  abortSignal.addEventListener('abort', leave)
  if (abortSignal.aborted) leave()
  try {
    for (;;) {
      await doing.takeRoom()
      const { done, value } = await reader.read()
      abortSignal.throwIfAborted()
      if (done) break
      // An error cannot be cloned with all that it says; what else is told as one, is passed on as it is.
      if (value.type === 'error' && value.error instanceof Error) throw value.error
      if (value.type !== 'raw') send({ type: 'part', call: errand, value: pack(value) })
    }
  } catch (error) {
    // Nobody reads on: a model on this page's GPU need not either.
    reader.cancel(error).catch(() => {})
    throw error
  } finally {
    abortSignal.removeEventListener('abort', leave)
  }
  send({ type: 'ended', call: errand })
}

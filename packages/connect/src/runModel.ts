import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import { asCutOff } from '@interleave/core/internal'
import { type ModelCall, pack, partsAhead, preludes, unpack } from './modelCalls.ts'
import type { RunningCall } from './pageCalls.ts'
import { toWireError } from './toolCalls.ts'

/**
 * Returns the function that executes the model calls of a worker with the models of this page. It adds the names of those
 * that have begun to answer to `begun`: they are loaded.
 */
export const createModelRunner =
  (models: Readonly<Record<string, LanguageModelV4>>, begun: Set<string> = new Set()) =>
  async (message: ModelCall, running: RunningCall): Promise<void> => {
    const { call, name } = message
    try {
      const model = Object.hasOwn(models, name) ? models[name] : undefined
      if (!model) throw new AgentError('model_failed', `This page has no model "${name}".`)
      await runModel({ model, onBegun: () => void begun.add(name) }, message, running)
    } catch (error) {
      running.sendAnswer({ type: 'failed', call, error: toWireError(asCutOff(error), 'model_failed') })
    }
  }

interface PageModel {
  readonly model: LanguageModelV4
  readonly onBegun: () => void
}

async function runModel({ model, onBegun }: PageModel, { call, does, options }: ModelCall, running: RunningCall) {
  const { signal: abortSignal, sendAnswer } = running
  const callOptions = { ...(unpack(options) as LanguageModelV4CallOptions), abortSignal }
  if (does === 'generate') {
    // The requests and responses of the network stay in this page.
    const { request: _, response: __, ...result } = await model.doGenerate(callOptions)
    onBegun()
    sendAnswer({ type: 'generated', call, value: pack(result) })
    return
  }
  const { stream } = await model.doStream(callOptions)
  sendAnswer({ type: 'began', call })
  await sendStream({ call, stream, onBegun }, running)
  sendAnswer({ type: 'ended', call })
}

interface ModelStream extends Pick<PageModel, 'onBegun'> {
  readonly call: string
  readonly stream: ReadableStream<LanguageModelV4StreamPart>
}

/** Sends a stream, and reads no further ahead than the worker allows. */
async function sendStream({ call, stream, onBegun }: ModelStream, running: RunningCall) {
  const { signal, sendAnswer } = running
  const reader = stream.getReader()
  const takeRoom = limitParts(running)
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  try {
    for (;;) {
      await takeRoom()
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return
      if (!preludes.has(value.type)) onBegun()
      // An `Error` loses details when it is cloned, so it is thrown. Other errors are sent as they are.
      if (value.type === 'error' && value.error instanceof Error) throw value.error
      // A sign of life: a model may read its prompt for minutes. Its content stays in this page.
      sendAnswer({ type: 'part', call, value: pack(value.type === 'raw' ? { type: 'raw', rawValue: null } : value) })
    }
  } catch (error) {
    // The stream has no reader any more, so a model on this page's GPU may stop.
    reader.cancel(error).catch(() => {})
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Returns a function that resolves when the reader has room for one more part, or the call is aborted. */
function limitParts(running: RunningCall): () => Promise<void> | undefined {
  let room = partsAhead
  let resume = (): void => {}
  running.onRoom = (parts) => {
    room += parts
    if (room >= 0) resume()
  }
  running.signal.addEventListener('abort', () => resume())
  return () => {
    room--
    if (room >= 0 || running.signal.aborted) return undefined
    return new Promise((resolve) => {
      resume = resolve
    })
  }
}

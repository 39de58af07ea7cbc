import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { Failure, Json, Run } from '@interleave/core'
import { isObject, isOver, reportLater } from '@interleave/core/internal'

/** Returns a call from outside as the first message of its run. */
export const messageFor = (call: string, input: unknown): string => JSON.stringify({ call, input })

/**
 * A model that stands for a caller outside of the run, such as the browser's agent or an app: it makes the one call
 * that the message names, and then is done. It reads the message, so the run continues after a reload, too.
 */
export const outsideModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'outside',
  modelId: 'caller',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('A caller only streams.')),
  doStream: (call) => Promise.resolve({ stream: streamOf(partsFor(call)) }),
}

function partsFor({ prompt }: LanguageModelV4CallOptions): readonly LanguageModelV4StreamPart[] {
  const isDone = prompt.some(({ role }) => role === 'tool')
  const call = isDone ? undefined : callIn(prompt)
  const finish = {
    type: 'finish',
    usage,
    finishReason: { unified: call ? 'tool-calls' : 'stop', raw: undefined },
  } as const
  const start: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] }
  if (!call) {
    const text = { type: 'text-delta', id: '0', delta: 'Done.' } as const
    return [start, { type: 'text-start', id: '0' }, text, { type: 'text-end', id: '0' }, finish]
  }
  return [start, { type: 'tool-call', toolCallId: 'call', toolName: call.call, input: call.input }, finish]
}

function callIn(prompt: LanguageModelV4CallOptions['prompt']): { call: string; input: string } | undefined {
  const [said] = prompt.flatMap((message) => (message.role === 'user' ? message.content : []))
  if (said?.type !== 'text') return undefined
  const written: unknown = JSON.parse(said.text)
  return isObject(written) && typeof written.call === 'string'
    ? { call: written.call, input: JSON.stringify(written.input ?? {}) }
    : undefined
}

const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 }
const usage: LanguageModelV4Usage = { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } }

const streamOf = (parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

/** The result of a call from outside, or the reason why there is none. */
export type OutsideOutcome = { readonly output: Json } | { readonly error: Pick<Failure, 'code' | 'message'> }

/**
 * Resolves with the outcome of the call when its run is over, and not when it asks a user. Stops the run if the signal
 * of the caller aborts.
 */
export function outcomeOfCall(run: Run, caller?: AbortSignal): Promise<OutsideOutcome> {
  const stop = (): void => void run.stop('The caller has given up.').catch(reportLater)
  caller?.addEventListener('abort', stop, { once: true })
  return new Promise((resolve) => {
    const check = (): void => {
      if (!isOver(run.state.signal?.type)) return
      caller?.removeEventListener('abort', stop)
      unsubscribe()
      resolve(outcomeIn(run))
    }
    const unsubscribe = run.subscribe(() => check())
    check()
  })
}

function outcomeIn({ state }: Run): OutsideOutcome {
  const turn = state.history.flat().find((entry) => entry.type === 'turn')
  const call = turn?.type === 'turn' ? turn.calls[0] : undefined
  if (!call?.result) {
    return {
      error: state.signal?.type === 'failed' ? state.signal.error : { code: 'stopped', message: 'It was stopped.' },
    }
  }
  if (call.error) return { error: call.error }
  if (call.output !== undefined) return { output: call.output }
  return { output: 'value' in call.result ? (call.result.value as Json) : null }
}

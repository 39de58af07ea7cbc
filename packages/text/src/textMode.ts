import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import { AgentError, localHost } from '@interleave/core'
import {
  checkModel,
  defaultCaps,
  emptyTurn,
  malformed,
  type Part,
  TurnReader,
  yielder,
} from '@interleave/core/internal'
import { StepReader } from './stepReader.ts'
import { readEnd, unknownUsage } from './stepUsage.ts'
import { type TextCall, toTextCall } from './textCall.ts'
import { type TextModeOptions, type TextModeSettings, toSettings } from './textModeSettings.ts'

/** Turns a model that only writes into a model that calls tools: it reads its text as steps of thought and action. */
export function textMode(model: LanguageModelV4, options: TextModeOptions = {}): LanguageModelV4 {
  const settings = toSettings(options)
  checkModel(model, 'textMode()')
  const { provider, modelId } = model
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    doStream: (params) => askInText(model, params, settings),
    doGenerate: async (params) => generateFrom(await askInText(model, params, settings)),
  }
}

/** Returns the same as a middleware, for `wrapLanguageModel` of the AI SDK. */
export function textModeMiddleware(options: TextModeOptions = {}): LanguageModelV4Middleware {
  const settings = toSettings(options)
  return {
    specificationVersion: 'v4',
    wrapStream: ({ model, params }) => askInText(model, params, settings),
    wrapGenerate: async ({ model, params }) => generateFrom(await askInText(model, params, settings)),
  }
}

async function askInText(
  model: LanguageModelV4,
  params: LanguageModelV4CallOptions,
  settings: TextModeSettings,
): Promise<LanguageModelV4StreamResult> {
  if (!needsTools(params)) return model.doStream(params)
  const call = toTextCall(params, settings)
  const result = await model.doStream(call.options)
  return { ...result, stream: stepStream(result.stream, call, model) }
}

type StreamPart = LanguageModelV4StreamPart

/** Converts a stream of text to the stream of a model that calls tools. Cancels it soon after the step is complete. */
function stepStream(
  text: ReadableStream<StreamPart>,
  call: TextCall,
  model: LanguageModelV4,
): ReadableStream<StreamPart> {
  let reader = text.getReader()
  let step = new StepReader(call)
  let characters = 0
  const yieldIfDue = yielder(localHost, 16)
  /** Passes parts on. Limits the text here, since a reader of the parts would not see text that is held back. */
  const take = (part: StreamPart): readonly StreamPart[] => {
    if (part.type === 'text-delta') {
      if (typeof part.delta !== 'string') throw malformed('a "text-delta" with a wrong or missing "delta"')
      characters += part.delta.length
    }
    if (characters > mostCharacters)
      throw new AgentError('model_too_large', `The model wrote more than ${mostCharacters} characters in one turn.`)
    return step.take(part)
  }

  let isCancelled = false
  /** Cancels the stream: the model would continue to write, and its connection would stay open. */
  const leave = (reason?: unknown): void => void reader.cancel(reason).catch(() => {})

  const passParts = async (stream: ReadableStreamDefaultController<StreamPart>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read()
      if (isCancelled) return
      const parts = done ? [] : take(value)
      const isOver = done || step.complete
      for (const part of parts) stream.enqueue(part)
      if (!done && isOver) {
        step.takeRest(await readEnd(reader))
        if (isCancelled) return
        leave()
      }
      if (isOver) for (const part of step.end()) stream.enqueue(part)
      if (isOver && !step.next) return stream.close()
      if (isOver && step.next) {
        const { stream: more } = await model.doStream(step.next.options)
        step = new StepReader(step.next)
        reader = more.getReader()
        if (isCancelled) return leave()
      } else if (parts.length > 0) return
      const pause = yieldIfDue()
      if (pause) await pause
    }
  }

  return new ReadableStream<StreamPart>({
    async pull(stream) {
      try {
        await passParts(stream)
      } catch (error) {
        leave(error)
        throw error
      }
    },
    cancel(reason) {
      isCancelled = true
      return reader.cancel(reason)
    },
  })
}

/** The maximum characters of one turn: four times the limit of a turn, where tool input counts a quarter. */
const mostCharacters = 4 * defaultCaps.maxCharacters

/** Returns true unless the model can be called directly: without tools, and without earlier calls. */
const needsTools = ({ tools = [], prompt }: LanguageModelV4CallOptions): boolean =>
  tools.length > 0 ||
  prompt.some(({ role, content }) => role === 'assistant' && content.some(({ type }) => type === 'tool-call'))

/** Reads a stream to its end, and returns the result of a model that does not stream. Throws an error in it. */
async function generateFrom(result: LanguageModelV4StreamResult): Promise<LanguageModelV4GenerateResult> {
  const { stream, request, response } = result
  const turn = emptyTurn()
  const turnReader = new TurnReader(turn, () => {}, defaultCaps)
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) turnReader.read(next.value)
  } finally {
    // It may throw in the middle, and the model would continue to write.
    void reader.cancel().catch(() => {})
  }
  const { parts, finish = interrupted, usage = unknownUsage, warnings = [], providerMetadata, responseId } = turn
  return {
    content: parts.map(toContent),
    finishReason: finish,
    usage,
    warnings: [...warnings],
    ...(providerMetadata && { providerMetadata }),
    ...(request && { request }),
    response: { ...response, ...(responseId !== undefined && { id: responseId }) },
  }
}

/** Converts a part. In the model interface, the input of a call is a string. */
function toContent(part: Part): LanguageModelV4Content {
  if (part.type !== 'tool-call') return part
  const { invalid, input, ...call } = part
  return { ...call, input: invalid && typeof input === 'string' ? input : JSON.stringify(input) }
}

const interrupted: LanguageModelV4FinishReason = { unified: 'interrupted', raw: undefined }

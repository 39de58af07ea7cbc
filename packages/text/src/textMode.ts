import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Middleware,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import { checkModel, defaultCaps, emptyTurn, type Part, TurnReader } from '@interleave/core/internal'
import { unknownUsage } from './stepReader.ts'
import { stepStream } from './stepStream.ts'
import { toTextCall } from './textCall.ts'
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
    doStream: (params) => askInText({ model, params, settings }),
    doGenerate: async (params) => generateFrom(await askInText({ model, params, settings })),
  }
}

/** Returns the same as a middleware, for `wrapLanguageModel` of the AI SDK. */
export function textModeMiddleware(options: TextModeOptions = {}): LanguageModelV4Middleware {
  const settings = toSettings(options)
  return {
    specificationVersion: 'v4',
    wrapStream: ({ model, params }) => askInText({ model, params, settings }),
    wrapGenerate: async ({ model, params }) => generateFrom(await askInText({ model, params, settings })),
  }
}

interface TextRequest {
  readonly model: LanguageModelV4
  readonly params: LanguageModelV4CallOptions
  readonly settings: TextModeSettings
}

async function askInText({ model, params, settings }: TextRequest): Promise<LanguageModelV4StreamResult> {
  if (!needsTools(params)) return model.doStream(params)
  const call = toTextCall(params, settings)
  const result = await model.doStream(call.options)
  return { ...result, stream: stepStream(result.stream, { call, model }) }
}

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

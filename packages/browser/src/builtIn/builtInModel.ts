import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import { assertOption, checkOptions, DEV, messageOf, orStopped } from '@interleave/core/internal'
import { type AnswerFormat, answerFormat } from './answerFormat.ts'
import { answerParts } from './answerParts.ts'
import {
  type CreateOptions,
  destroy,
  measure,
  type PromptApi,
  type PromptSession,
  promptApi,
  sessionOptions,
  usedBy,
  windowOf,
} from './promptApi.ts'
import { type BuiltInAvailability, notReady, promptError } from './promptError.ts'
import { type Prompts, toPrompts } from './toPrompts.ts'

export interface BuiltInModelOptions {
  /** The languages of the conversation, such as `['en']`. Browsers reject unsupported ones. */
  readonly languages?: readonly string[]
  /** The Prompt API; by default that of the page. */
  readonly api?: PromptApi
}

export interface PrepareOptions {
  readonly signal?: AbortSignal
  /** Called with the share that has arrived, from 0 to 1. */
  readonly onProgress?: (loaded: number) => void
}

/** The browser's own model, for `agent({ model })`. */
export interface BuiltInModel extends LanguageModelV4 {
  /** Returns whether the model can be called now. Never rejects. */
  availability(): Promise<BuiltInAvailability>
  /** Downloads the model if the browser does not have it. Call it in a click: browsers ask for one. */
  prepare(options?: PrepareOptions): Promise<void>
}

/**
 * Returns the model that Chrome has built in, as a model for agents. It can call tools: the browser constrains its
 * answers to a JSON schema made from theirs. Nothing leaves the device, and no key is needed. Pages only; a worker uses
 * it by `pageModel`.
 *
 * @example
 * const model = builtInModel()
 * if ((await model.availability()) === 'downloadable') button.onclick = () => model.prepare({ onProgress })
 * agent({ name: 'guide', model })
 */
export function builtInModel(options: BuiltInModelOptions = {}): BuiltInModel {
  checkOptions('builtInModel()', options, ['languages', 'api'])
  const { languages, api } = options
  assertOption(
    languages === undefined || (Array.isArray(languages) && languages.every((each) => typeof each === 'string')),
    DEV && '`languages` must be a list of language tags, such as ["en"].',
  )
  return new BrowserModel(languages, () => api ?? promptApi())
}

type Stream = ReadableStream<LanguageModelV4StreamPart>

/** The browser's model, and the progress of its download. */
class BrowserModel implements BuiltInModel {
  readonly specificationVersion = 'v4'
  readonly provider = 'browser'
  readonly modelId = 'built-in'
  readonly supportedUrls = {}
  readonly #languages: readonly string[] | undefined
  readonly #find: () => PromptApi | undefined
  #loaded: number | undefined

  constructor(languages: readonly string[] | undefined, find: () => PromptApi | undefined) {
    this.#languages = languages
    this.#find = find
  }

  // Fields, so that a copy of the model has them too.
  readonly availability = async (): Promise<BuiltInAvailability> => {
    try {
      const reported = await this.#find()?.availability(sessionOptions(this.#languages))
      return reported === undefined ? 'absent' : (states.find((state) => state === reported) ?? 'unavailable')
    } catch {
      return 'unavailable'
    }
  }

  readonly prepare = async ({ signal: given, onProgress }: PrepareOptions = {}): Promise<void> => {
    const api = this.#find()
    if (!api) throw notReady('absent', undefined)
    const ending = new AbortController()
    const signal = given ? AbortSignal.any([ending.signal, given]) : ending.signal
    const report = async (loaded: number): Promise<void> => onProgress?.(loaded)
    const monitor = (target: EventTarget): void =>
      target.addEventListener('downloadprogress', (event) => {
        const { loaded } = event as Partial<ProgressEvent>
        if (signal.aborted || typeof loaded !== 'number' || !Number.isFinite(loaded)) return
        this.#loaded = Math.min(Math.max(loaded, 0), 1)
        report(this.#loaded).catch((error: unknown) => ending.abort(progressFailed(error)))
      })
    try {
      // Before any `await`, which would end the effect of the click.
      destroy(await created(api, { ...sessionOptions(this.#languages), monitor, signal }))
    } catch (error) {
      signal.throwIfAborted()
      const state = await orStopped(this.availability(), signal)
      throw state === 'unavailable' || state === 'absent' ? notReady(state, undefined) : promptError(error, signal)
    } finally {
      this.#loaded = undefined
    }
  }

  readonly doStream = async (call: LanguageModelV4CallOptions): Promise<{ stream: Stream }> => ({
    stream: await this.#stream(call),
  })

  readonly doGenerate = async (call: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> =>
    generated(await this.#stream(call))

  async #stream(call: LanguageModelV4CallOptions): Promise<Stream> {
    const { abortSignal: caller } = call
    const ending = new AbortController()
    const signal = caller ? AbortSignal.any([ending.signal, caller]) : ending.signal
    const api = this.#find()
    const state = api ? await orStopped(this.availability(), signal) : 'absent'
    if (!api || state !== 'available') throw notReady(state === 'available' ? 'absent' : state, this.#loaded)
    const format = answerFormat(call)
    const prompts = toPrompts(call.prompt, format)
    let session: PromptSession | undefined
    const end = (): void => {
      if (ending.signal.aborted) return
      ending.abort()
      if (session) destroy(session)
    }
    try {
      session = await created(api, { ...sessionOptions(this.#languages), initialPrompts: prompts.initial, signal })
      // Also if the consumer stops reading.
      signal.addEventListener('abort', end, { once: true })
      return await ask(session, { call, format, prompts, signal, end })
    } catch (error) {
      end()
      throw promptError(error, caller)
    }
  }
}

const progressFailed = (cause: unknown): AgentError =>
  new AgentError(
    'options_invalid',
    DEV && `\`onProgress\` failed: ${messageOf(cause).replace(/\.$/, '')}. Catch its errors, and call prepare() again.`,
    { cause },
  )

/** Creates a session. One that arrives after the call was aborted is destroyed at once. */
function created(api: PromptApi, options: CreateOptions & { readonly signal: AbortSignal }): Promise<PromptSession> {
  const { signal } = options
  const made = Promise.resolve(api.create(options))
  made.then(
    (session) => signal.aborted && destroy(session),
    () => {},
  )
  return orStopped(made, signal)
}

const states: readonly BuiltInAvailability[] = ['unavailable', 'downloadable', 'downloading', 'available']

interface Asking {
  readonly call: LanguageModelV4CallOptions
  readonly format: AnswerFormat
  readonly prompts: Prompts
  readonly signal: AbortSignal
  /** Ends the session. Called however the stream ends, perhaps several times. */
  readonly end: () => void
}

async function ask(session: PromptSession, { call, format, prompts, signal, end }: Asking): Promise<Stream> {
  const { constraint } = format
  const options = { signal, ...(constraint && { responseConstraint: constraint, omitResponseConstraintInput: true }) }
  const before = usedBy(session)
  const added = await orStopped(measure(session, prompts.input, options), signal)
  const input = before === undefined || added === undefined ? undefined : before + added
  if (input !== undefined && input > windowOf(session)) throw tooLong(input, windowOf(session))
  const parts = answerParts(session.promptStreaming(prompts.input, options), {
    format,
    firstCall: countCalls(call) + 1,
    warnings: warningsOf(call, prompts),
    usage: () => usageOf(input, usedBy(session)),
    signal,
  })
  return streamOf(parts, end, call.abortSignal)
}

const tooLong = (tokens: number, window: number): AgentError =>
  new AgentError(
    'context_full',
    `The conversation has ${tokens} tokens, and the built-in model takes ${window}. Use compact(), or another model.`,
  )

const countCalls = ({ prompt }: LanguageModelV4CallOptions): number =>
  prompt.flatMap((message) => (message.role === 'assistant' ? message.content : [])).filter(isCall).length

const isCall = ({ type }: { readonly type: string }): boolean => type === 'tool-call'

const usageOf = (input: number | undefined, after: number | undefined) => {
  const output = input === undefined || after === undefined ? undefined : Math.max(after - input, 0)
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  }
}

function warningsOf(call: LanguageModelV4CallOptions, { files }: Prompts): SharedV4Warning[] {
  const settings = ['temperature', 'topP', 'topK', 'maxOutputTokens', 'stopSequences', 'seed'] as const
  const ignored = settings.filter((name) => call[name] !== undefined && String(call[name]) !== '')
  const tools = (call.tools ?? []).flatMap((tool) => (tool.type === 'provider' ? [`provider tool ${tool.id}`] : []))
  const features = [...ignored, ...tools, ...(files > 0 ? ['files'] : [])]
  return features.map((feature) => ({
    type: 'unsupported',
    feature,
    details: 'The built-in model does not support it.',
  }))
}

/** Creates a stream of the values that a generator yields. */
function streamOf(
  parts: AsyncGenerator<LanguageModelV4StreamPart>,
  end: () => void,
  caller: AbortSignal | undefined,
): Stream {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await parts.next()
        if (!done) return controller.enqueue(value)
        end()
        controller.close()
      } catch (error) {
        end()
        controller.error(promptError(error, caller))
      }
    },
    cancel: end,
  })
}

async function generated(stream: Stream): Promise<LanguageModelV4GenerateResult> {
  const reader = stream.getReader()
  const read: LanguageModelV4StreamPart[] = []
  for (let next = await reader.read(); !next.done; next = await reader.read()) read.push(next.value)
  const text = read.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
  const finish = read.find((part) => part.type === 'finish')
  if (!finish)
    throw new AgentError('model_incomplete', 'The built-in model stopped in the middle.', { retryable: true })
  const { usage, finishReason } = finish
  return {
    content: [...(text ? [{ type: 'text', text } as const] : []), ...read.filter((part) => part.type === 'tool-call')],
    usage,
    finishReason,
    warnings: read.flatMap((part) => (part.type === 'stream-start' ? part.warnings : [])),
  }
}

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import { assertOption, checkOptions, DEV } from '@interleave/core/internal'
import type { SentCall } from './calls.ts'
import { type ModelAnswer, type ModelPart, pack, partsAhead, preludes, unpack } from './modelCalls.ts'
import { type Page, pageRegistry } from './page.ts'
import { fromWireError } from './toolCalls.ts'
import { until } from './wait.ts'

export interface PageModelOptions {
  /** Milliseconds that a call waits for a page with the model; 30,000 by default. */
  waitMs?: number
}

/**
 * A model that exists only in pages: the browser's own, one that runs on the page's GPU, or one whose key only the page
 * has: `workerAgent(worker, name, { models })`. Calls go to the page whose model answered last, since it is loaded there;
 * or else to the most recently used page. If a page closes during a turn, or its model never begins, or a page joins that
 * has loaded it before, the turn fails with a retryable error, and the retry calls another page.
 */
export function pageModel(name: string, options: PageModelOptions = {}): LanguageModelV4 {
  checkOptions('pageModel()', options, ['waitMs'])
  const { waitMs = 30_000 } = options
  assertOption(
    typeof name === 'string' && name !== '',
    DEV && 'A pageModel() needs the name of the model in the pages.',
  )
  return {
    specificationVersion: 'v4',
    provider: 'page',
    modelId: name,
    supportedUrls: {},
    async doGenerate(options) {
      const page = await pageWith(name, waitMs, options.abortSignal)
      const answer = await callModel({ page, name, does: 'generate', options }, () => {}).answer
      if (answer.type !== 'generated') throw gone(name)
      page.noteModel(name, true)
      return unpack(answer.value) as LanguageModelV4GenerateResult
    },
    async doStream(options) {
      const page = await pageWith(name, waitMs, options.abortSignal)
      return { stream: await streamFrom({ page, name, does: 'stream', options }) }
    },
  }
}

async function pageWith(name: string, waitMs: number, signal: AbortSignal | undefined): Promise<Page> {
  const found = pageRegistry.findModel(name)
  if (found) return found
  const has = (page: Page): boolean => page.models.has(name)
  const over = new AbortController()
  const onTimeout = (): never => {
    throw missing(name)
  }
  return until(pageRegistry.nextPage(has, over.signal), { ms: waitMs, onTimeout, signal }).finally(() => over.abort())
}

interface ModelRequest {
  readonly page: Page
  readonly name: string
  readonly does: 'stream' | 'generate'
  readonly options: LanguageModelV4CallOptions
}

/** Calls the model in the page. The answer rejects if the call fails, or the page closes. */
function callModel(
  { page, name, does, options: { abortSignal: signal, ...options } }: ModelRequest,
  onPart: (part: ModelPart) => void,
): SentCall<ModelAnswer> {
  const sent = page.callModel({ type: 'model', name, does, options: pack(options) }, { signal, onPart })
  const finish = async (): Promise<ModelAnswer> => {
    const answer = await sent.answer
    if (!answer) throw gone(name)
    if (answer.type === 'failed') throw fromWireError(answer.error)
    return answer as ModelAnswer
  }
  return { id: sent.id, answer: finish() }
}

/** Resolves when the stream in the page has begun. */
function streamFrom(request: ModelRequest): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  const { page, name } = request
  return new Promise((resolve, reject) => {
    let sent: SentCall<ModelAnswer> | undefined
    const note = noteBegin(request, () => sent && page.abortCall(sent.id, elsewhere(name)))
    let received = 0
    let granted = 0
    const stream = new ReadableStream<LanguageModelV4StreamPart>(
      {
        start(controller) {
          sent = callModel(request, (part) => {
            if (part.type === 'began') return resolve(stream)
            received++
            const read = unpack(part.value) as LanguageModelV4StreamPart
            // What comes before may come from a model that is not loaded yet.
            if (!preludes.has(read.type)) note(true)
            controller.enqueue(read)
          })
          const fail = (error: unknown): void => {
            reject(error)
            controller.error(error)
          }
          sent.answer
            .finally(() => note(false))
            .then(() => controller.close())
            .catch(fail)
        },
        pull({ desiredSize }) {
          const taken = received - (partsAhead - (desiredSize ?? 0))
          if (!sent || taken - granted < partsAhead / 2) return
          page.grantParts(sent.id, taken - granted)
          granted = taken
        },
        cancel(reason) {
          if (sent) page.abortCall(sent.id, reason)
        },
      },
      { highWaterMark: partsAhead },
    )
  })
}

/**
 * Returns a function that notes whether the model has begun, or the call has ended before. Until then, calls back if a
 * page joins whose model is loaded.
 */
function noteBegin({ page, name }: ModelRequest, onReady: () => void): (hasBegun: boolean) => void {
  const over = new AbortController()
  const isReady = (other: Page): boolean => other.modelRank(name) > 0
  if (!isReady(page)) {
    void pageRegistry.nextPage(isReady, over.signal).then(() => over.signal.aborted || onReady())
  }
  return (hasBegun) => {
    if (over.signal.aborted) return
    over.abort()
    page.noteModel(name, hasBegun)
  }
}

const gone = (name: string): AgentError =>
  new AgentError('model_failed', `The page with the model "${name}" closed during the call.`, { retryable: true })
const elsewhere = (name: string): AgentError =>
  new AgentError('model_failed', `Another page has loaded the model "${name}", so that page is called.`, {
    retryable: true,
  })
const missing = (name: string): AgentError =>
  new AgentError('model_failed', `No page is open that has the model "${name}". Open one, and resume the run.`, {
    retryable: true,
  })

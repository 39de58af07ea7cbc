import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { AgentError, localHost } from '@interleave/core'
import { demand } from '@interleave/core/internal'
import { partsAhead } from './hostMessage.ts'
import { pack, unpack } from './packed.ts'
import type { Page, SentErrand } from './page.ts'
import type { Answer } from './pageMessage.ts'
import { pageRoll } from './pageRoll.ts'
import { fromWireError } from './wireError.ts'

export interface PageModelOptions {
  /** Milliseconds that a call waits for a page with the model; 30,000 by default. */
  waitMs?: number
}

/**
 * A model that exists only in pages: the browser's own, one that runs on the page's GPU, or one whose key only the page has.
 * Calls go to the page that was used last, of those that have it: `workerAgent(worker, name, { models })`. If that page goes
 * away in the middle of a turn, the turn fails as one that may be tried again, and another page is asked.
 */
export function pageModel(name: string, { waitMs = 30_000 }: PageModelOptions = {}): LanguageModelV4 {
  demand(typeof name === 'string' && name !== '', 'A pageModel() needs the name that the pages have the model by.')
  return {
    specificationVersion: 'v4',
    provider: 'page',
    modelId: name,
    supportedUrls: {},
    async doGenerate(options) {
      const page = await pageWith(name, waitMs, options.abortSignal)
      return new Promise((resolve, reject) => {
        const hear = (answer: Answer): void => {
          if (answer.type === 'generated') resolve(unpack(answer.value) as LanguageModelV4GenerateResult)
        }
        send({ page, name, does: 'generate', options }, { fail: reject, hear })
      })
    },
    async doStream(options) {
      const page = await pageWith(name, waitMs, options.abortSignal)
      return { stream: await streamFrom({ page, name, does: 'stream', options }) }
    },
  }
}

async function pageWith(name: string, waitMs: number, abortSignal: AbortSignal | undefined): Promise<Page> {
  const has = (page: Page): boolean => page.models.has(name)
  const found = pageRoll.find(has)
  if (found) return found
  const over = new AbortController()
  const giveUp = new Promise<never>((_, reject) => {
    const cancel = localHost.timer(waitMs, () => reject(missing(name)))
    over.signal.addEventListener('abort', cancel)
    abortSignal?.addEventListener('abort', () => reject(abortSignal.reason), { signal: over.signal })
    if (abortSignal?.aborted) reject(abortSignal.reason)
  })
  return Promise.race([pageRoll.coming(has, over.signal), giveUp]).finally(() => over.abort())
}

interface Asking {
  readonly page: Page
  readonly name: string
  readonly does: 'stream' | 'generate'
  readonly options: LanguageModelV4CallOptions
}

interface Ends {
  fail(error: unknown): void
  hear(answer: Answer): void
}

/** Sends the call to the page, and receives its messages until it fails. */
function send({ page, name, does, options: { abortSignal, ...options } }: Asking, { fail, hear }: Ends): SentErrand {
  const over = new AbortController()
  const sent = page.send(
    { type: 'model', name, does, options: pack(options) },
    {
      hear(answer) {
        if (answer.type !== 'began' && answer.type !== 'part') over.abort()
        if (answer.type === 'failed') fail(fromWireError(answer.error))
        else hear(answer)
      },
      onLost() {
        over.abort()
        fail(gone(name))
      },
    },
  )
  abortSignal?.addEventListener('abort', () => sent.abort(abortSignal.reason), { signal: over.signal })
  if (abortSignal?.aborted) sent.abort(abortSignal.reason)
  return sent
}

/** Resolves when the page's own stream has begun. */
function streamFrom(asking: Asking): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  return new Promise((resolve, reject) => {
    let sent: SentErrand | undefined
    let received = 0
    let granted = 0
    const stream = new ReadableStream<LanguageModelV4StreamPart>(
      {
        start(controller) {
          const fail = (error: unknown): void => {
            reject(error)
            controller.error(error)
          }
          const hear = (answer: Answer): void => {
            if (answer.type === 'began') resolve(stream)
            if (answer.type === 'part') {
              received++
              controller.enqueue(unpack(answer.value) as LanguageModelV4StreamPart)
            }
            if (answer.type === 'ended') controller.close()
          }
          sent = send(asking, { fail, hear })
        },
        pull({ desiredSize }) {
          const taken = received - (partsAhead - (desiredSize ?? 0))
          if (taken - granted < partsAhead / 2) return
          sent?.more(taken - granted)
          granted = taken
        },
        cancel(reason) {
          sent?.abort(reason)
          sent?.end()
        },
      },
      { highWaterMark: partsAhead },
    )
  })
}

const gone = (name: string): AgentError =>
  new AgentError('model_failed', `The page whose model "${name}" was asked is gone.`, { retryable: true })
const missing = (name: string): AgentError =>
  new AgentError('model_failed', `No page is open that has the model "${name}". Open one, and resume the run.`, {
    retryable: true,
  })

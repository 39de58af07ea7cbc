import type { CreateOptions, PromptApi, PromptSession } from '../builtIn/promptApi.ts'

/**
 * The answer of a session: an error, or the chunks of its stream. At `hang` it waits to be aborted; at `deaf` it sends nothing
 * more, aborted or not.
 */
export type FakeAnswer = string | readonly unknown[] | Error

export interface FakeOptions {
  readonly state?: string
  readonly answers?: readonly FakeAnswer[]
  readonly contextWindow?: number
  /** The error of each `create`. */
  readonly refuse?: Error
  /** The progress that `monitor` receives while a session is made. */
  readonly progress?: readonly number[]
}

export interface FakePromptApi extends PromptApi {
  /** The sessions that were created and not destroyed. */
  readonly alive: Set<PromptSession>
  readonly created: readonly CreateOptions[]
  readonly asked: readonly { readonly input: string; readonly constraint: object | undefined }[]
  state: string
}

/**
 * Creates a fake Prompt API in the shape of Chrome 148, in which a word is a token. The browsers of tests have no
 * model.
 */
export function fakePromptApi(options: FakeOptions = {}): FakePromptApi {
  const { answers = ['Hello.'], contextWindow = 1_000, refuse, progress = [] } = options
  const alive = new Set<PromptSession>()
  const created: CreateOptions[] = []
  const asked: { input: string; constraint: object | undefined }[] = []
  const api: FakePromptApi = {
    alive,
    created,
    asked,
    state: options.state ?? 'available',
    availability: async () => api.state,
    async create(given = {}) {
      created.push(given)
      if (refuse) throw refuse
      const monitor = new EventTarget()
      given.monitor?.(monitor)
      for (const loaded of progress) {
        monitor.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded }))
        await new Promise((resolve) => setTimeout(resolve))
      }
      given.signal?.throwIfAborted()
      const session = new FakeSession(given, {
        contextWindow,
        destroyed: () => alive.delete(session),
        answer: (input, constraint) => {
          asked.push({ input, constraint })
          return answers[Math.min(asked.length, answers.length) - 1] ?? ''
        },
      })
      alive.add(session)
      return session
    },
  }
  return api
}

interface FakeSetting {
  readonly contextWindow: number
  destroyed(): void
  answer(input: string, constraint: object | undefined): FakeAnswer
}

class FakeSession implements PromptSession {
  contextUsage: number
  readonly contextWindow: number
  readonly #setting: FakeSetting

  constructor({ initialPrompts = [] }: CreateOptions, setting: FakeSetting) {
    this.#setting = setting
    this.contextWindow = setting.contextWindow
    this.contextUsage = initialPrompts.reduce((sum, { content }) => sum + tokens(content), 0)
  }

  async measureContextUsage(input: string): Promise<number> {
    return tokens(input)
  }

  promptStreaming(
    input: string,
    { responseConstraint, signal }: { responseConstraint?: object; signal?: AbortSignal } = {},
  ): ReadableStream<string> {
    const answer = this.#setting.answer(input, responseConstraint)
    const chunks = typeof answer === 'string' || answer instanceof Error ? [answer] : [...answer]
    this.contextUsage += tokens(input)
    return new ReadableStream({
      pull: async (controller) => {
        const next = chunks.shift()
        if (next === 'deaf') await new Promise(() => {})
        if (next === 'hang')
          await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        if (next === undefined) return controller.close()
        if (next instanceof Error) throw next
        this.contextUsage += tokens(String(next))
        controller.enqueue(next as string)
      },
    })
  }

  destroy(): void {
    this.#setting.destroyed()
  }
}

const tokens = (text: string): number => text.split(/\s+/).filter(Boolean).length

import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import { toMessages } from '../message.ts'
import type { RunContext } from '../run.ts'
import type { RunState } from '../state.ts'
import { orStopped } from '../steps/orStopped.ts'
import type { ExternalAgent, ExternalTurn } from './externalAgent.ts'
import { externalParts } from './externalParts.ts'
import { readExternalEvent } from './readExternalEvent.ts'

/** A turn of an external agent as a model call, so that it is told, capped, stopped and kept like any other. */
export function externalModel(run: RunContext, external: ExternalAgent, idleMs: number): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId: external.name,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('An external agent only streams.')),
    doStream: async (call) => ({ stream: toStream(tell(run, { external, idleMs, call })) }),
  }
}
const provider = 'external'

interface Telling {
  readonly external: ExternalAgent
  readonly idleMs: number
  readonly call: LanguageModelV4CallOptions
}

async function* tell(run: RunContext, { external, idleMs, call }: Telling): AsyncGenerator<LanguageModelV4StreamPart> {
  const { name } = external
  const toParts = externalParts(name)
  const questions = createQuestions(run, name)
  const turn = await toTurn(run, external, call)
  const events = external.run({ ...turn, ask: questions.ask })[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = inTime(run, { next: events.next(), idleMs, external, questions })
      // It may not listen, and the run is not to wait for it.
      const { done, value } = await orStopped(next, turn.abortSignal)
      if (done) return
      const event = readExternalEvent(name, value)
      if (event.type === 'session') await noteSession(run, name, event.id)
      else yield* toParts(event)
      if (event.type === 'done') return
    }
  } finally {
    questions.end()
    // One that does not listen must not hold up the end of the run.
    void Promise.resolve(events.return?.()).catch(() => {})
  }
}

interface Session {
  readonly id: string
  /** The turn that it was told in. */
  readonly turn: number
}
const sessionKey = (name: string): string => `external/${name}/session`

/** Kept before the turn goes on, so that after a crash the agent finds its session again. */
async function noteSession(run: RunContext, name: string, id: string): Promise<void> {
  const value = { id, turn: run.state.iteration + 1 }
  run.emit({ type: 'noted', key: sessionKey(name), value })
  await run.durable()
}

async function toTurn(
  run: RunContext,
  { name }: ExternalAgent,
  { prompt, abortSignal = run.abortSignal }: LanguageModelV4CallOptions,
): Promise<Omit<ExternalTurn, 'ask'>> {
  const { state } = run
  const session = state.notes[sessionKey(name)] as unknown as Session | undefined
  const system = prompt.find((message) => message.role === 'system')
  const outputSchema = await run.agent.output?.json
  return {
    news: newsFor(state, name),
    messages: prompt.filter((message) => message !== system),
    resumed: session?.turn === state.iteration + 1,
    abortSignal,
    ...(session && { sessionId: session.id }),
    ...(system && { instructions: system.content }),
    ...(outputSchema && { outputSchema }),
  }
}

/** Everything after its own last turn. What others said to a turn that broke off is still new. */
function newsFor({ history, pending }: RunState, name: string): ExternalTurn['news'] {
  const entries = history.flat()
  const last = entries.findLastIndex(
    (entry) =>
      entry.type === 'turn' && !entry.error && entry.model.provider === provider && entry.model.modelId === name,
  )
  return [...entries.slice(last + 1), ...pending].flatMap(toMessages)
}

interface Questions extends Pick<ExternalTurn, 'ask'> {
  /** Whether a person is waited for. */
  isWaiting(): boolean
  /** The turn is over, and with it the questions that nobody asked again after a reload. */
  end(): void
}

function createQuestions(run: RunContext, name: string): Questions {
  const activity = run.activity()
  const prefix = `${run.state.iteration + 1}/external/${name}/`
  let waiting = 0
  return {
    isWaiting: () => waiting > 0,
    async ask(id, question) {
      waiting++
      try {
        return await activity.ask(`${prefix}${id}`, question)
      } finally {
        waiting--
      }
    },
    end() {
      for (const { id } of run.state.asks) if (id.startsWith(prefix)) activity.settle(id)
      activity.end()
    },
  }
}

interface Waiting<T> extends Pick<Telling, 'external' | 'idleMs'> {
  readonly next: Promise<T>
  readonly questions: Questions
}

/** What comes next, or a failure when nothing comes for too long. While a person is asked, nothing has to. */
function inTime<T>({ host }: RunContext, { next, idleMs, external, questions }: Waiting<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const watch = (): (() => void) =>
      host.timer(idleMs, () => {
        if (questions.isWaiting()) cancel = watch()
        else
          reject(new AgentError('model_idle', `The external agent "${external.name}" sent nothing for ${idleMs} ms.`))
      })
    let cancel = watch()
    next.then(resolve, reject).finally(() => cancel())
  })
}

function toStream(parts: AsyncGenerator<LanguageModelV4StreamPart>): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await parts.next()
      if (done) stream.close()
      else stream.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

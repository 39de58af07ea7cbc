import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { breather } from '../breathe.ts'
import { AgentError } from '../error.ts'
import type { RunContext } from '../run.ts'
import { ignore } from '../steps/breaker.ts'
import { orStopped } from '../steps/orStopped.ts'
import type { ExternalAgent } from './externalAgent.ts'
import { externalParts } from './externalParts.ts'
import { createQuestions, type Questions } from './externalQuestions.ts'
import { noteSession, provider, toTurn } from './externalTurn.ts'
import { readExternalEvent } from './readExternalEvent.ts'

/**
 * Presents a turn of an external agent as a model call, so that it is streamed, capped, stopped and persisted like any
 * other.
 */
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

interface Telling {
  readonly external: ExternalAgent
  readonly idleMs: number
  readonly call: LanguageModelV4CallOptions
}

async function* tell(run: RunContext, { external, idleMs, call }: Telling): AsyncGenerator<LanguageModelV4StreamPart> {
  const { name } = external
  const toParts = externalParts(name)
  const questions = createQuestions(run, name)
  const breathe = breather(() => run.host.now())
  let events: AsyncIterator<unknown> | undefined
  try {
    const turn = await toTurn(run, external, call)
    events = external.run({ ...turn, ask: questions.ask })[Symbol.asyncIterator]()
    for (;;) {
      const next = inTime(run, { next: events.next(), idleMs, external, questions })
      // It may not listen, and the run is not to wait for it.
      const { done, value } = await orStopped(next, turn.abortSignal)
      if (done) return
      const event = readExternalEvent(name, value)
      if (event.type === 'session') await noteSession(run, name, event.id)
      else yield* toParts(event)
      if (event.type === 'done') return
      const pause = breathe()
      if (pause) await pause
    }
  } finally {
    questions.end()
    // One that does not listen must not hold up the end of the run.
    void Promise.resolve()
      .then(() => events?.return?.())
      .catch(ignore)
  }
}

interface Waiting<T> extends Pick<Telling, 'external' | 'idleMs'> {
  readonly next: Promise<T>
  readonly questions: Questions
}

/** Returns the next event, or fails after too long a silence. The limit does not apply while a user is being asked. */
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

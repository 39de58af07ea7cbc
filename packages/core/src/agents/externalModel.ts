import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentError, messageOf } from '../error.ts'
import { toMessages } from '../message.ts'
import type { RunContext } from '../run.ts'
import { noteOf, type RunState } from '../state.ts'
import { breather, ignore, orStopped } from '../steps/wait.ts'
import {
  type ExternalAgent,
  type ExternalEvent,
  ExternalQuestions,
  type ExternalTurn,
  eventsIn,
  malformed,
  readExternalEvent,
} from './external.ts'

/** Presents a turn of an external agent as a model call, which is streamed, capped, stopped and persisted. */
export function externalModel(run: RunContext, external: ExternalAgent, idleMs: number): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId: external.name,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('An external agent only streams.')),
    doStream: async (call) => ({ stream: toStream(partsOf(run, external, idleMs, call)) }),
  }
}

async function* partsOf(
  run: RunContext,
  external: ExternalAgent,
  idleMs: number,
  call: LanguageModelV4CallOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { name } = external
  const toParts = externalParts(name)
  const questions = new ExternalQuestions(run, name)
  const breathe = breather(run.host)
  let events: AsyncIterator<unknown> | undefined
  try {
    const turn = await toTurn(run, external, call)
    events = eventsIn(name, external.run({ ...turn, ask: questions.ask }))
    for (;;) {
      const next = inTime(run, events.next(), idleMs, questions)
      // The external agent may ignore the abort, and the run must not wait for it.
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
    // An agent that ignores the abort must not hold up the end of the run.
    void Promise.resolve()
      .then(() => events?.return?.())
      .catch(ignore)
  }
}

/** Returns the next event, or fails after too long a silence. The limit does not apply while a user is being asked. */
function inTime<T>({ host }: RunContext, next: Promise<T>, ms: number, questions: ExternalQuestions): Promise<T> {
  return new Promise((resolve, reject) => {
    const watch = (): (() => void) =>
      host.timer(ms, () => {
        if (questions.isWaiting) cancel = watch()
        else reject(new AgentError('model_idle', `The external agent "${questions.agent}" sent nothing for ${ms} ms.`))
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

/** The provider of external turns in the log. */
const provider = 'external'

/** The key of the note with the agent's session, and with the turn that reported it. */
const sessionKey = (name: string): string => `external/${name}/session`

/** Persists the session before the turn continues, so that the agent finds it after a crash. */
async function noteSession(run: RunContext, name: string, id: string): Promise<void> {
  const value = { id, turn: run.state.iteration + 1 }
  run.emit({ type: 'noted', key: sessionKey(name), value })
  await run.durable()
}

/** Returns the agent's input for the turn that a model would otherwise be called for. */
async function toTurn(
  run: RunContext,
  { name }: ExternalAgent,
  { prompt, abortSignal = run.abortSignal }: LanguageModelV4CallOptions,
): Promise<Omit<ExternalTurn, 'ask'>> {
  const { state } = run
  const session = noteOf<{ readonly id: string; readonly turn: number }>(state, sessionKey(name))
  const system = prompt.find((message) => message.role === 'system')
  const outputSchema = await run.agent.output?.json
  const messages = prompt.filter((message) => message !== system)
  // Messages from now on are for the next turn.
  const heard = messages.slice(run.prompt.messages({ ...state, pending: [] }).length)
  return {
    news: [...newsFor(state, name), ...heard],
    messages,
    resumed: session?.turn === state.iteration + 1,
    abortSignal,
    ...(session && { sessionId: session.id }),
    ...(system && { instructions: system.content }),
    ...(outputSchema && { outputSchema }),
  }
}

/** Returns the messages after the agent's own last turn. What others said to a turn that broke off is still new. */
function newsFor({ history }: RunState, name: string): ExternalTurn['news'] {
  const entries = history.flat()
  const last = entries.findLastIndex(
    (entry) =>
      entry.type === 'turn' && !entry.error && entry.model.provider === provider && entry.model.modelId === name,
  )
  return entries.slice(last + 1).flatMap(toMessages)
}

type Part = LanguageModelV4StreamPart
type Of<Type extends ExternalEvent['type']> = Extract<ExternalEvent, { readonly type: Type }>

/** Converts the events of an external turn to parts of a model stream. Its calls run in the external agent. */
function externalParts(agent: string): (event: Exclude<ExternalEvent, Of<'session'>>) => readonly Part[] {
  const tools = new Map<string, string>()
  const used = { input: 0, output: 0, cachedInput: 0 }
  const open = new Set<string>()
  const idOf = blockIds()

  const call = ({ id, name, input }: Of<'toolCall'>): Part[] => {
    tools.set(id, name)
    open.add(id)
    idOf('call')
    const own = { toolName: name, providerExecuted: true, dynamic: true } as const
    return [
      { type: 'tool-input-start', id, ...own },
      { type: 'tool-call', toolCallId: id, input: JSON.stringify(input), ...own },
    ]
  }
  const result = ({ id: toolCallId, output, isError }: Of<'toolResult'>): Part[] => {
    const toolName = tools.get(toolCallId)
    if (toolName === undefined) throw malformed(agent, `a result of the call "${toolCallId}", which it never reported`)
    open.delete(toolCallId)
    return [{ type: 'tool-result', toolCallId, toolName, result: output ?? '', ...(isError && { isError }) }]
  }
  /** Closes calls without a result, since models that read the conversation later would reject them. */
  const close = (): Part[] =>
    [...open].flatMap((id) => result({ type: 'toolResult', id, output: 'It told no result.', isError: true }))
  const finish = ({ output }: Of<'done'>): Part => ({
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'done' },
    usage: {
      inputTokens: {
        total: used.input,
        noCache: used.input - used.cachedInput,
        cacheRead: used.cachedInput,
        cacheWrite: undefined,
      },
      outputTokens: { total: used.output, text: used.output, reasoning: undefined },
    },
    ...(output !== undefined && { providerMetadata: { interleave: { output } } }),
  })

  return (event) => {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return [{ type: `${event.type}-delta`, id: idOf(event.type), delta: event.delta }]
      case 'toolCall':
        return call(event)
      case 'toolResult':
        return result(event)
      case 'usage':
        used.input += event.input
        used.output += event.output
        used.cachedInput += event.cachedInput ?? 0
        return []
      case 'done':
        return [...close(), finish(event)]
      case 'error': {
        const { message, retryable = false } = event
        throw new AgentError('model_failed', messageOf(message || undefined), { retryable })
      }
    }
  }
}

/** Returns block ids: text after something of another kind is a new block. */
function blockIds(): (kind: string) => string {
  let block = { kind: '', count: 0 }
  return (kind) => {
    if (block.kind !== kind) block = { kind, count: block.count + 1 }
    return String(block.count)
  }
}

import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { toMessages } from '../message.ts'
import type { RunContext } from '../run.ts'
import type { RunState } from '../state.ts'
import type { ExternalAgent, ExternalTurn } from './externalAgent.ts'

/** The provider of the turns that were external, as their log tells it. */
export const provider = 'external'

interface Session {
  readonly id: string
  /** The turn that reported it. */
  readonly turn: number
}
const sessionKey = (name: string): string => `external/${name}/session`

/** Persists the session before the turn continues, so that the agent finds it after a crash. */
export async function noteSession(run: RunContext, name: string, id: string): Promise<void> {
  const value = { id, turn: run.state.iteration + 1 }
  run.emit({ type: 'noted', key: sessionKey(name), value })
  await run.durable()
}

/** Returns the agent's input for the turn that a model would otherwise be called for. */
export async function toTurn(
  run: RunContext,
  { name }: ExternalAgent,
  { prompt, abortSignal = run.abortSignal }: LanguageModelV4CallOptions,
): Promise<Omit<ExternalTurn, 'ask'>> {
  const { state } = run
  const session = state.notes[sessionKey(name)] as unknown as Session | undefined
  const system = prompt.find((message) => message.role === 'system')
  const outputSchema = await run.agent.output?.json
  const messages = prompt.filter((message) => message !== system)
  // What is said from now on is for the next turn.
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

/** Everything after its own last turn. What others said to a turn that broke off is still new. */
function newsFor({ history }: RunState, name: string): ExternalTurn['news'] {
  const entries = history.flat()
  const last = entries.findLastIndex(
    (entry) =>
      entry.type === 'turn' && !entry.error && entry.model.provider === provider && entry.model.modelId === name,
  )
  return entries.slice(last + 1).flatMap(toMessages)
}

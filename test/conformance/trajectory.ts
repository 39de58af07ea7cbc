import type { JSONSchema7, JSONValue } from '@ai-sdk/provider'
import { readRows } from './data.ts'

export const trajectoriesFile = 'trajectories.jsonl.gz'

/** A recorded conversation. Only what a replay needs of it. */
export interface Trajectory {
  readonly id: string
  readonly tools?: readonly RecordedTool[]
  readonly messages: readonly RecordedMessage[]
  /** The start of each run: the index of its first user message. */
  readonly runs: readonly { readonly user: number }[]
}
export interface RecordedTool {
  readonly name: string
  readonly description?: string | null
  readonly parameters?: JSONSchema7 | null
}
export type RecordedMessage = RecordedText | RecordedTurn | RecordedResult
interface RecordedText {
  readonly role: 'system' | 'user'
  readonly content: string
}
export interface RecordedTurn {
  readonly role: 'assistant'
  readonly content?: string | null
  readonly reasoning?: string | null
  readonly tool_calls?: readonly RecordedCall[] | null
}
export interface RecordedCall {
  readonly id: string
  readonly name: string
  readonly args?: JSONValue
  /** The arguments as the model wrote them. */
  readonly args_raw?: string | null
}
export interface RecordedResult {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly content: string
  readonly error?: boolean | null
}

export const readTrajectories = (): Trajectory[] => readRows<Trajectory>(trajectoriesFile)

/** One user message, or several consecutive ones, and everything up to the next one. */
export interface RecordedRun {
  readonly history: readonly RecordedMessage[]
  readonly input: readonly RecordedText[]
  readonly messages: readonly RecordedMessage[]
}

export function runsOf({ runs, messages }: Trajectory): RecordedRun[] {
  return runs.map(({ user }, index) => {
    const body = messages.slice(user, runs[index + 1]?.user ?? messages.length)
    const others = body.findIndex(({ role }) => role !== 'user')
    const inputs = others === -1 ? body.length : others
    return {
      history: messages.slice(0, user),
      input: body.slice(0, inputs) as RecordedText[],
      messages: body.slice(inputs),
    }
  })
}

/** Returns true if a run ended with a text, so that a replay reaches its end. */
export function isComplete({ messages }: RecordedRun): boolean {
  const last = turnsOf(messages).at(-1)
  return last !== undefined && !last.tool_calls?.length && !messages.some(({ role }) => role === 'system')
}

export const turnsOf = (messages: readonly RecordedMessage[]): RecordedTurn[] =>
  messages.filter((message) => message.role === 'assistant')

/**
 * Returns the result of each call, by turn and position. Ids identify a call only within one turn, and there only the
 * first without a result, since providers repeat them.
 */
export function resultsOf(messages: readonly RecordedMessage[]): (RecordedResult | undefined)[][] {
  const turns: (RecordedResult | undefined)[][] = []
  let calls: readonly RecordedCall[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      calls = message.tool_calls ?? []
      turns.push(calls.map(() => undefined))
    } else if (message.role === 'tool') {
      const results = turns.at(-1) ?? []
      const place = calls.findIndex(({ id }, index) => id === message.tool_call_id && !results[index])
      if (place !== -1) results[place] = message
    }
  }
  return turns
}

import type { Event, Json, Run } from '@interleave/core'
import { eventsOf, isKept } from '@interleave/core/observe'
import type { RecordedMessage } from './trajectory.ts'

/** A message in the terms that a recording and a run have in common. */
export type Neutral =
  | { role: 'assistant'; content: string; calls: { id: string; name: string; args: Json }[] }
  | { role: 'tool'; id: string; content: string; error: boolean }

/** Returns the messages to and from the model of a recording. A call whose input could not be read has none. */
export function recordedNeutral(messages: readonly RecordedMessage[]): Neutral[] {
  return messages.flatMap((message): Neutral[] => {
    if (message.role === 'tool') {
      const { tool_call_id: id, content, error } = message
      return [{ role: 'tool', id, content, error: error === true }]
    }
    if (message.role !== 'assistant') return []
    const calls = (message.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args: args ?? null }))
    return [{ role: 'assistant', content: message.content ?? '', calls }]
  })
}

type Thought = Extract<Event, { type: 'thought' }>
type Observed = Extract<Event, { type: 'observed' }>

/** The same of a run, from its log alone: results stand in the order of the calls, not in that of their arrival. */
export async function runNeutral(run: Run): Promise<Neutral[]> {
  const observed = new Map<string, Observed>()
  const thoughts: Thought[] = []
  for await (const event of eventsOf(run)) {
    if (!isKept(event)) continue
    if (event.type === 'observed') observed.set(event.call, event)
    if (event.type === 'thought') thoughts.push(event)
  }
  return thoughts.flatMap((thought) => turnNeutral(thought, observed))
}

function turnNeutral({ parts, iteration }: Thought, observed: ReadonlyMap<string, Observed>): Neutral[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const own = parts.filter((part) => part.type === 'tool-call').filter((call) => !call.providerExecuted)
  const calls = own.map(({ toolCallId: id, toolName: name, input, invalid }) => ({
    id,
    name,
    args: invalid ? null : input,
  }))
  const results = calls.map(({ id }, index): Neutral => {
    const result = observed.get(`${iteration}/tool/${index}`)?.result
    const value = result && 'value' in result ? result.value : undefined
    const content = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return { role: 'tool', id, content, error: result?.type === 'error-text' }
  })
  return [{ role: 'assistant', content: text, calls }, ...results]
}

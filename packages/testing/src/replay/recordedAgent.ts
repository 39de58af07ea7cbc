import { type Agent, agent, answer, type Event, reasonAct } from '@interleave/core'
import { derivedAgent } from '@interleave/core/internal'
import { callOf } from './logIndex.ts'
import { RecordedSources } from './recordedSources.ts'
import { callsIn, type Recording } from './recording.ts'
import type { Stage } from './stage.ts'
import { absentModel, anything, toolOf } from './toolOfLog.ts'

/**
 * Creates an agent from the log alone, for a run whose agent is not available. It has the recorded tools, and asks for
 * the approvals that the log has. Throws if the run needs steps that only its own agent has.
 */
export function recordedAgent(stage: Stage): Agent {
  const { recording } = stage
  const why = whyNotAlone(recording.events)
  if (why !== undefined)
    throw new Error(`This run cannot be replayed without its agent, because ${why}. Give the agent that ran it.`)
  const { agent: name, version, exposeReasoning } = recording.started
  const isTyped = recording.events.some(
    (event) => event.type === 'settled' && event.signal.type === 'answer' && event.signal.reason === 'finalAnswer',
  )
  const made = agent<unknown>({
    name,
    version,
    model: absentModel(recording),
    tools: toolsOf(stage, isTyped),
    // The log determines the length of the run.
    backend: reasonAct({ limits: {}, act: { parallel: parallelIn(recording) } }),
    ...(isTyped && { output: answer(anything) }),
    ...(exposeReasoning === false && { exposeReasoning }),
  })
  return derivedAgent(made, { live: new RecordedSources(stage, made.tools) }) as Agent
}

/** Returns the maximum number of concurrent calls in a turn. Calls start in order. */
function parallelIn({ events }: Recording): number {
  let [most, begun, ended] = [1, 0, 0]
  for (const event of events) {
    if (event.type === 'thought') [begun, ended] = [0, 0]
    const call = callOf(event)
    if (call === undefined) continue
    begun = Math.max(begun, Number(call.split('/')[2] ?? 0) + 1)
    most = Math.max(most, begun - ended)
    if (event.type === 'observed') ended++
  }
  return most
}

/** The name of the default tool for typed answers, which the agent adds by itself. */
const finalAnswer = 'final_answer'

function toolsOf({ recording, until }: Stage, isTyped: boolean): Record<string, object> {
  const calls = recording.events.flatMap((event) => (event.type === 'thought' ? callsIn(event) : []))
  const names = new Set(calls.map(({ toolName }) => toolName).filter((name) => !(isTyped && name === finalAnswer)))
  return Object.fromEntries([...names].map((name) => [name, toolOf(recording, name, until)]))
}

/** Returns the reason why the log alone is not sufficient. */
function whyNotAlone(events: readonly Event[]): string | undefined {
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    if (event.type === 'compacted' || event.type === 'amended') return 'its agent has steps of its own'
    const isOwn = event.type === 'noted' && event.call === undefined && !isOfSources(event.key)
    if (isOwn) return `its agent has steps of its own ("${event.key}")`
    if (event.type === 'said' && event.by === 'agent' && before?.type !== 'resumed') return 'its agent reminds itself'
    if (event.type === 'asked' && event.ask.call === undefined) return 'a step of its agent asked something'
    if (event.type === 'settled' && event.signal.type === 'limitReached') return 'its agent has limits'
    if (event.type === 'settled' && event.signal.type === 'answer' && !plainReasons.includes(event.signal.reason))
      return 'its agent has stop rules of its own'
  }
  return undefined
}

/** Returns true for the notes about the tools of sources. */
const isOfSources = (key: string): boolean => /^(?:tools|missing)\//.test(key)

const plainReasons: readonly string[] = ['text', 'length', 'finalAnswer']

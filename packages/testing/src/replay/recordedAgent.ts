import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Agent, type Ask, agent, type Event, type RunState, reasonAct } from '@interleave/core'
import { fromFailure, openCalls, sameJson, schemaBy } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import { callOf, callsIn, type Recording } from './recording.ts'

/** Resolves when the replay has this many events. */
type Until = (length: number) => Promise<void>

/**
 * Creates an agent from the log alone, for a run whose agent is not available. It has the recorded tools, and asks for
 * the approvals that the log has. Throws if the run needs steps that only its own agent has.
 */
export function recordedAgent(recording: Recording, until: Until): Agent {
  const why = whyNotAlone(recording.events)
  if (why !== undefined)
    throw new Error(`This run cannot be replayed without its agent, because ${why}. Give the agent that ran it.`)
  const { agent: name, version, exposeReasoning } = recording.started
  const isTyped = recording.events.some(
    (event) => event.type === 'rested' && event.signal.type === 'answer' && event.signal.reason === 'finalAnswer',
  )
  return agent<unknown>({
    name,
    version,
    model: absentModel(recording),
    tools: toolsOf(recording, { until, isTyped }),
    // The log determines the length of the run.
    backend: reasonAct({ limits: {}, act: { parallel: parallelIn(recording) } }),
    ...(isTyped && { output: anything }),
    ...(exposeReasoning === false && { exposeReasoning }),
  })
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

function toolsOf(recording: Recording, { until, isTyped }: { until: Until; isTyped: boolean }): Record<string, object> {
  const calls = recording.events.flatMap((event) => (event.type === 'thought' ? callsIn(event) : []))
  const names = new Set(calls.map(({ toolName }) => toolName).filter((name) => !(isTyped && name === finalAnswer)))
  return Object.fromEntries([...names].map((name) => [name, toolOf(recording, name, until)]))
}

function toolOf(recording: Recording, name: string, until: Until): object {
  const approval = approvals(recording.events).find(({ tool }) => tool === name)
  const when = async (input: unknown, state: RunState, toolCallId: string): Promise<boolean | string> => {
    const key = openCalls(state).find((call) => call.name === name && call.id === toolCallId)?.key ?? ''
    await failEarly(recording, key, until)
    const asked = approvals(recording.events).find(({ call }) => call === key)
    return (asked && promptOfEdit(recording.events, { asked, input })) ?? asked?.prompt ?? false
  }
  return {
    inputSchema: anything,
    approve: {
      when,
      ...(approval?.allow && { allow: approval.allow }),
      ...(approval?.allowBy && { allowBy: approval.allowBy }),
    },
    execute: () => undefined,
    // Its progress is in its own log.
    ...(recording.events.some((event) => isResuming(event) && recording.toolOf(event.call) === name) && {
      effect: 'idempotent',
      resumes: true,
    }),
  }
}

/** Returns the recorded prompt of an input that the user edited. */
const promptOfEdit = (
  events: readonly Event[],
  { asked, input }: { readonly asked: Ask; readonly input: unknown },
): string | undefined =>
  events.flatMap((event) =>
    event.type === 'replied' && event.ask === asked.id && sameJson(Object(event.value).input, input)
      ? [event.prompt]
      : [],
  )[0]

const isResuming = (event: Event): event is EventOf<'called'> => event.type === 'called' && event.resumes === true

/** Repeats the failure of a call that failed before it started, such as for an invalid input. */
async function failEarly({ events }: Recording, key: string, until: Until): Promise<void> {
  const index = events.findIndex((event) => callOf(event) === key)
  const first = events[index]
  if (first?.type !== 'observed' || !first.error || first.error.code === 'stopped') return
  await until(index)
  throw fromFailure(first.error)
}

/** Returns the questions for approval of the run's own calls. Those of child runs have a `from`. */
const approvals = (events: readonly Event[]) =>
  events.flatMap((event) => {
    const isAsked = event.type === 'asked' || event.type === 'allowed'
    return isAsked && event.ask.kind === 'approval' && event.ask.from === undefined ? [event.ask] : []
  })

/** Accepts every value, since the log has only valid ones. */
const anything = schemaBy<unknown>({ type: 'object' }, (value) => value)

function absentModel({ events }: Recording): LanguageModelV4 {
  const thought = events.find((event) => event.type === 'thought')
  const { provider, modelId } = thought?.model ?? { provider: 'recorded', modelId: 'recorded' }
  const refuse = (): Promise<never> => Promise.reject(new Error('A recorded run calls no model.'))
  return { specificationVersion: 'v4', provider, modelId, supportedUrls: {}, doStream: refuse, doGenerate: refuse }
}

/** Returns the reason why the log alone is not sufficient. */
function whyNotAlone(events: readonly Event[]): string | undefined {
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    if (event.type === 'compacted' || event.type === 'amended') return 'its agent has steps of its own'
    if (event.type === 'noted' && event.call === undefined) return `its agent has steps of its own ("${event.key}")`
    if (event.type === 'said' && event.by === 'agent' && before?.type !== 'resumed') return 'its agent reminds itself'
    if (event.type === 'asked' && event.ask.call === undefined) return 'a step of its agent asked something'
    if (event.type === 'rested' && event.signal.type === 'limitReached') return 'its agent has limits'
    if (event.type === 'rested' && event.signal.type === 'answer' && !plainReasons.includes(event.signal.reason))
      return 'its agent has stop rules of its own'
  }
  return undefined
}

const plainReasons: readonly string[] = ['text', 'length', 'finalAnswer']

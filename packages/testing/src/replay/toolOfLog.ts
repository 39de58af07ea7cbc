import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Ask, Event, RunState, Schema } from '@interleave/core'
import { fromFailure, openCalls, sameJson, schemaBy } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import { callOf, type Recording } from './recording.ts'

/** Resolves when the replay has this many events. */
type Until = (length: number) => Promise<void>

interface About {
  readonly toolCallId: string
}

/** Creates a tool that asks for the approvals of the log. */
export function toolOf(recording: Recording, name: string, until: Until): object {
  const approval = approvals(recording.events).find(({ tool }) => tool === name)
  const when = async (input: unknown, state: RunState, { toolCallId }: About): Promise<boolean | string> => {
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
export const anything: Schema<unknown> = schemaBy<unknown>({ type: 'object' }, (value) => value)

export function absentModel({ events }: Recording): LanguageModelV4 {
  const thought = events.find((event) => event.type === 'thought')
  const { provider, modelId } = thought?.model ?? { provider: 'recorded', modelId: 'recorded' }
  const refuse = (): Promise<never> => Promise.reject(new Error('A recorded run calls no model.'))
  return { specificationVersion: 'v4', provider, modelId, supportedUrls: {}, doStream: refuse, doGenerate: refuse }
}

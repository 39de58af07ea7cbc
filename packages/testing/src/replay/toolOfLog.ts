import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Ask, Decision, RunState, Schema } from '@interleave/core'
import { approval } from '@interleave/core'
import { fromFailure, openCalls, sameJson, schemaBy } from '@interleave/core/internal'
import type { Recording } from './recording.ts'

/** Resolves when the replay has this many events. */
type Until = (length: number) => Promise<void>

interface About {
  readonly toolCallId: string
}

/** Creates a tool that asks for the approvals of the log. */
export function toolOf(recording: Recording, name: string, until: Until): object {
  const latest = recording.approval(`approval of ${name}`)
  const approve = async (input: unknown, state: RunState, { toolCallId }: About): Promise<Decision> => {
    const key = openCalls(state).find((call) => call.name === name && call.id === toolCallId)?.key ?? ''
    await failEarly(recording, key, until)
    const asked = recording.approval(`approval ${key}`)
    const prompt = (asked && promptOfEdit(recording, { asked, input })) ?? asked?.prompt
    return prompt !== undefined && approval({ prompt, remember: latest?.remember, rememberBy: latest?.rememberBy })
  }
  return {
    inputSchema: anything,
    approve,
    execute: () => undefined,
    // Its progress is in its own log.
    ...(recording.resumes(name) && { effect: 'idempotent', resumes: true }),
  }
}

/** Returns the recorded prompt of an input that the user edited. */
const promptOfEdit = (
  { events, index }: Recording,
  { asked, input }: { readonly asked: Ask; readonly input: unknown },
): string | undefined =>
  index.all(`replied ${asked.id}`).flatMap((at) => {
    const event = events[at]
    return event?.type === 'replied' && sameJson(Object(event.value).input, input) ? [event.prompt] : []
  })[0]

/** Repeats the failure of a call that failed before it started, such as for an invalid input. */
async function failEarly({ events, index: positions }: Recording, key: string, until: Until): Promise<void> {
  const index = positions.first(`of ${key}`)
  const first = events[index]
  if (first?.type !== 'observed' || !first.error || first.error.code === 'stopped') return
  await until(index)
  throw fromFailure(first.error)
}

/** Accepts every value, since the log has only valid ones. */
export const anything: Schema<unknown> = schemaBy<unknown>({ type: 'object' }, (value) => value)

export function absentModel({ events }: Recording): LanguageModelV4 {
  const thought = events.find((event) => event.type === 'thought')
  const { provider, modelId } = thought?.model ?? { provider: 'recorded', modelId: 'recorded' }
  const refuse = (): Promise<never> => Promise.reject(new Error('A recorded run calls no model.'))
  return { specificationVersion: 'v4', provider, modelId, supportedUrls: {}, doStream: refuse, doGenerate: refuse }
}

import type { Json } from '@interleave/core'
import { type ReactNode, useMemo } from 'react'
import type { CallItem } from './itemAt.ts'
import { Facts, FailureNote, JsonText, shownText } from './parts.tsx'
import type { RunLog } from './runLog.ts'
import { rawTab, stateTab, Tabs } from './Tabs.tsx'
import type { Call } from './timelineRows.ts'
import { duration } from './wording.ts'

export interface CallViewProps {
  readonly item: CallItem
  readonly log: RunLog
  /** The selected event. */
  readonly seq: number
}

/** Shows a tool call: its input, its result, and the user's approval. */
export function CallView({ item, log, seq }: CallViewProps): ReactNode {
  const { call, events } = item
  const approval = useMemo(() => approvalOf(item), [item])
  const questions = events.flatMap((event) =>
    event.type === 'asked' && (event.ask.kind !== 'approval' || event.ask.from) ? [event.ask.prompt] : [],
  )
  const progress = log.progress.get(call.key)
  return (
    <>
      <Facts
        facts={{
          Took: call.ms !== undefined && duration(call.ms),
          State: stateOf(call),
          Approval: approval,
          Questions: questions.join(' '),
          'Idempotency key': <code>{call.key}</code>,
        }}
      />
      <Tabs
        label="Parts of the call"
        tabs={[
          {
            id: 'output',
            title: 'Input and output',
            content: () => <InputAndOutput call={call} progress={progress} />,
          },
          stateTab(log, seq),
          rawTab(events, `Events of ${call.key}`),
        ]}
      />
    </>
  )
}

function stateOf({ result, error, claimedAt }: Call): string {
  if (result?.type === 'execution-denied') return 'refused'
  if (error) return error.code === 'stopped' ? 'stopped' : 'failed'
  if (result) return 'done'
  return claimedAt === undefined ? 'not started' : 'started'
}

/** Returns the user's decision about a call, if there was one. */
function approvalOf({ call, events }: CallItem): string | undefined {
  if (typeof call.consent === 'object') return 'allowed earlier'
  const asked = events.find((event) => event.type === 'asked' && event.ask.kind === 'approval' && !event.ask.from)
  if (asked?.type !== 'asked') return undefined
  const reply = events.find((event) => event.type === 'replied' && event.ask === asked.ask.id)
  if (reply?.type !== 'replied') return 'waiting for a reply'
  const value = Object(reply.value) as { readonly approved?: boolean; readonly input?: Json; readonly reason?: string }
  const after = duration(reply.at - asked.at)
  if (!value.approved) return `refused after ${after}${value.reason ? `: ${value.reason}` : ''}`
  if (value.input === undefined) return `approved after ${after}`
  return `approved after ${after}, with an edited input${reply.prompt === undefined ? '' : `: ${reply.prompt}`}`
}

function InputAndOutput({ call, progress }: { readonly call: Call; readonly progress: Json | undefined }) {
  const { name, input, output, result, error, invalid } = call
  const forModel = result && 'value' in result ? result.value : undefined
  const values = [
    { title: 'Input', label: `Input of ${name}`, value: input },
    { title: 'Progress', label: `Progress of ${name}`, value: progress },
    { title: 'Output', label: `Output of ${name}`, value: output },
    {
      title: output === undefined ? 'Output' : 'Result for the model',
      label: `Result of ${name} for the model`,
      value: forModel,
    },
  ]
  return (
    <div data-part="stack">
      {error && <FailureNote error={error} />}
      {invalid !== undefined && <div data-part="note">The input could not be parsed: {shownText(invalid, 2_000)}</div>}
      {values
        .filter(({ title, value }) => title === 'Input' || value !== undefined)
        .map(({ title, label, value }) => (
          <section key={label} data-part="stack">
            <h4>{title}</h4>
            <JsonText value={value} label={label} />
          </section>
        ))}
    </div>
  )
}

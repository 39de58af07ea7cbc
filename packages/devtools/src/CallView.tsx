import type { Json } from '@interleave/core'
import { type ReactNode, useMemo } from 'react'
import type { CallItem } from './itemAt.ts'
import { Facts, FailureNote, JsonText } from './parts.tsx'
import type { RunLog } from './runLog.ts'
import { stateTab, Tabs } from './Tabs.tsx'
import type { Call } from './timelineRows.ts'
import { duration } from './wording.ts'

export interface CallViewProps {
  readonly item: CallItem
  readonly log: RunLog
  /** Of the event that is selected. */
  readonly seq: number
}

/** A call of a tool: what it was given, what came of it, and who allowed it. */
export function CallView({ item, log, seq }: CallViewProps): ReactNode {
  const { call, events } = item
  const approval = useMemo(() => approvalOf(item), [item])
  const asks = events.flatMap((event) =>
    event.type === 'asked' && (event.ask.kind !== 'approval' || event.ask.from) ? [event.ask.prompt] : [],
  )
  return (
    <>
      <Facts
        facts={{
          Took: call.ms !== undefined && duration(call.ms),
          State: stateOf(call),
          Approval: approval,
          Questions: asks.join(' '),
          'Idempotency key': <code>{call.key}</code>,
        }}
      />
      <Tabs
        label="Parts of the call"
        tabs={[
          {
            id: 'output',
            title: 'Input and output',
            content: () => <InputAndOutput call={call} progress={log.progress.get(call.key)} />,
          },
          stateTab(log, seq),
          {
            id: 'raw',
            title: 'Raw',
            content: () => <JsonText value={events} label={`Events of ${call.key} as JSON`} />,
          },
        ]}
      />
    </>
  )
}

function stateOf({ result, error, calledAt }: Call): string {
  if (result?.type === 'execution-denied') return 'refused'
  if (error) return error.code === 'stopped' ? 'stopped' : 'failed'
  if (result) return 'done'
  return calledAt === undefined ? 'not begun' : 'begun'
}

/** Returns the user's decision about it, if there was one. */
function approvalOf({ events }: CallItem): string | undefined {
  const asked = events.find((event) => event.type === 'asked' && event.ask.kind === 'approval' && !event.ask.from)
  if (asked?.type !== 'asked') return undefined
  const reply = events.find((event) => event.type === 'replied' && event.ask === asked.ask.id)
  if (reply?.type !== 'replied') return 'is asked for'
  const value = Object(reply.value) as { readonly approved?: boolean; readonly input?: Json; readonly reason?: string }
  const after = duration(reply.at - asked.at)
  if (!value.approved) return `refused after ${after}${value.reason ? `: ${value.reason}` : ''}`
  return value.input === undefined ? `given after ${after}` : `given after ${after}, with another input`
}

function InputAndOutput({ call, progress }: { call: Call; progress: Json | undefined }) {
  const { input, output, result, error, invalid } = call
  const given = result && 'value' in result ? result.value : undefined
  return (
    <div data-part="stack">
      {error && <FailureNote error={error} />}
      {invalid !== undefined && <div data-part="note">The input could not be read: {invalid}</div>}
      <h4>Input</h4>
      <JsonText value={input} label={`Input of ${call.name}`} />
      {progress !== undefined && (
        <>
          <h4>So far</h4>
          <JsonText value={progress} label={`Output of ${call.name} so far`} />
        </>
      )}
      {output !== undefined && (
        <>
          <h4>Output</h4>
          <JsonText value={output} label={`Output of ${call.name}`} />
        </>
      )}
      {given !== undefined && (
        <>
          <h4>{output === undefined ? 'Output' : 'What the model is given'}</h4>
          <JsonText value={given} label={`Result of ${call.name} for the model`} />
        </>
      )}
    </div>
  )
}

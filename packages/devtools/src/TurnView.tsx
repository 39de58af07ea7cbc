import type { Agent, Run, Usage } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import { useDraft } from '@interleave/react'
import type { ReactNode } from 'react'
import type { TurnItem } from './itemAt.ts'
import { PartList, toPart } from './MessageList.tsx'
import { PromptView } from './PromptView.tsx'
import { Facts, FailureNote, JsonText } from './parts.tsx'
import type { RetryNote, RunLog, TurnNotes } from './runLog.ts'
import { stateTab, Tabs } from './Tabs.tsx'
import { costWords, count, duration } from './wording.ts'

export interface TurnViewProps {
  readonly item: TurnItem
  readonly run: Run | undefined
  readonly log: RunLog
  readonly agent: Agent | undefined
}

/** A turn: what the model was given, what it gave, and what that took. */
export function TurnView({ item, run, log, agent }: TurnViewProps): ReactNode {
  const { thought, notes } = item
  if (!thought) return <StreamingTurn run={run} />
  return (
    <>
      <Facts facts={factsOf(thought, notes)} />
      <Tabs
        label="Parts of the turn"
        tabs={[
          { id: 'output', title: 'Output', content: () => <Output thought={thought} retries={notes?.retries ?? []} /> },
          { id: 'prompt', title: 'Prompt', content: () => <PromptView log={log} thought={thought} agent={agent} /> },
          stateTab(log, thought.seq),
          {
            id: 'raw',
            title: 'Raw',
            content: () => <JsonText value={thought} label={`Event ${thought.seq} as JSON`} />,
          },
        ]}
      />
    </>
  )
}

function factsOf({ usage, ms, at, model, finish, responseId }: EventOf<'thought'>, notes: TurnNotes | undefined) {
  const first = notes?.firstTokenAt
  const begun = at - ms
  return {
    Model: model.modelId,
    Took: duration(ms),
    'First token': first !== undefined && first >= begun && `after ${duration(first - begun)}`,
    Tokens: tokenWords(usage),
    Cost: costWords(usage),
    Finish:
      finish && (finish.raw && finish.raw !== finish.unified ? `${finish.unified} (${finish.raw})` : finish.unified),
    Response: responseId,
  }
}

function tokenWords({ inputTokens, cachedInputTokens, outputTokens, reasoningTokens }: Usage): string {
  const cached = cachedInputTokens > 0 ? ` (${count(cachedInputTokens)} cached)` : ''
  const reasoning = reasoningTokens > 0 ? ` (${count(reasoningTokens)} reasoning)` : ''
  return `${count(inputTokens)} in${cached}, ${count(outputTokens)} out${reasoning}`
}

const Output = ({ thought, retries }: { thought: EventOf<'thought'>; retries: readonly RetryNote[] }) => (
  <div data-part="stack">
    {thought.error && <FailureNote error={thought.error} />}
    {retries.map(({ at, attempt, inMs, error }) => (
      <div key={at} data-part="note">
        Try {attempt} failed, and was made again after {duration(inMs)}: {error.message}
      </div>
    ))}
    {thought.warnings?.map((warning, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: warnings never change their places.
      <div key={index} data-part="note">
        Warning: {'message' in warning ? warning.message : JSON.stringify(warning)}
      </div>
    ))}
    <PartList parts={thought.parts.map(toPart)} otherwise="The model wrote nothing." />
  </div>
)

function StreamingTurn({ run }: { run: Run | undefined }) {
  const draft = useDraft(run)
  const parts = [
    ...(draft?.reasoning ? [{ kind: 'reasoning', value: draft.reasoning } as const] : []),
    ...(draft?.text ? [{ kind: 'text', value: draft.text } as const] : []),
    ...Object.values(draft?.inputs ?? {}).map(({ tool, text }) => ({ kind: 'call', tool, value: text }) as const),
  ]
  return (
    <div data-part="stack" aria-busy="true">
      <PartList parts={parts} otherwise="Waiting for the first token." />
    </div>
  )
}

import type { Agent, Run, Usage } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import { useDraft } from '@interleave/react'
import type { ReactNode } from 'react'
import type { TurnItem } from './itemAt.ts'
import { type MessagePart, PartList, toPart } from './MessageList.tsx'
import { PromptView } from './PromptView.tsx'
import { Facts, FailureNote, shownText } from './parts.tsx'
import type { RetryNote, RunLog, TurnNotes } from './runLog.ts'
import { rawTab, stateTab, Tabs } from './Tabs.tsx'
import { costWords, count, duration } from './wording.ts'

export interface TurnViewProps {
  readonly item: TurnItem
  readonly run: Run | undefined
  readonly log: RunLog
  readonly agent: Agent | undefined
}

/** Shows a turn: the prompt, the model's output, tokens and cost. */
export function TurnView({ item: { thought, notes }, run, log, agent }: TurnViewProps): ReactNode {
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
          rawTab(thought, `Event ${thought.seq}`),
        ]}
      />
    </>
  )
}

function factsOf({ usage, ms, at, model, finish, responseId }: EventOf<'thought'>, notes: TurnNotes | undefined) {
  const toFirstToken = (notes?.firstTokenAt ?? Number.NaN) - (at - ms)
  const raw = finish?.raw && finish.raw !== finish.unified ? ` (${finish.raw})` : ''
  return {
    Model: model.modelId,
    Took: duration(ms),
    'First token': toFirstToken >= 0 && `after ${duration(toFirstToken)}`,
    Tokens: tokenWords(usage),
    Cost: costWords(usage),
    Finish: finish && `${finish.unified}${raw}`,
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
        Try {attempt} failed, retried after {duration(inMs)}: {shownText(error.message, 2_000)}
      </div>
    ))}
    {thought.warnings?.map((warning, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: warnings never move.
      <div key={index} data-part="note">
        Warning: {shownText('message' in warning ? warning.message : JSON.stringify(warning), 2_000)}
      </div>
    ))}
    <PartList parts={thought.parts.map(toPart)} otherwise="The model wrote nothing." />
  </div>
)

function StreamingTurn({ run }: { readonly run: Run | undefined }) {
  const { reasoning, text, inputs = {} } = useDraft(run) ?? {}
  const parts: MessagePart[] = Object.values(inputs).map(({ tool, text }) => ({ kind: 'call', tool, value: text }))
  if (text) parts.unshift({ kind: 'text', value: text })
  if (reasoning) parts.unshift({ kind: 'reasoning', value: reasoning })
  return (
    <div data-part="stack" aria-busy="true">
      <PartList parts={parts} otherwise="Waiting for the first token." />
    </div>
  )
}

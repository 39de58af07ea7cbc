import { useRun } from '@interleave/react'
import { Check, Circle, CircleDot } from 'lucide-react'
import { KillButton } from '../kill/KillButton.tsx'
import { own } from '../parts/own.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePage } from '../run/usePlayground.ts'
import { useMedia } from '../shell/useMedia.ts'
import { LedgerView } from './LedgerView.tsx'
import { SecondTab } from './SecondTab.tsx'
import { type Stage, stageOf, type Tried, triedIn } from './stages.ts'
import './firstMinute.css'

/** Names what to try while the guided run reaches it, and ticks what was tried. */
export function FirstMinute({ conversation }: { conversation: Conversation }) {
  const { run } = conversation
  const kill = usePage(({ marks }) => own(marks, run.id)?.kill)
  const tried = triedIn(useEvents(conversation), kill)
  const stage = useRun(run, stageOf)
  const isNarrow = useMedia('(width < 48rem)')
  return (
    <section className="first-minute" aria-label="Things to try">
      <ol>
        {steps.map(({ id, words, at }) => (
          <Step key={id} words={words} isDone={tried[id]} isNow={at === stage} />
        ))}
      </ol>
      <p>{hintFor(stage, tried)}</p>
      <div className="first-minute-actions">
        <KillButton conversation={conversation} isPrimary={stage === 'paying'} />
        <SecondTab runId={run.id} />
      </div>
      {isNarrow && <LedgerView runId={run.id} />}
    </section>
  )
}

const steps: readonly { readonly id: keyof Tried; readonly words: string; readonly at: Stage }[] = [
  { id: 'answered', words: 'Answer its question', at: 'asking' },
  { id: 'changed', words: 'Change what it is about to do', at: 'approving' },
  { id: 'killed', words: 'Kill it', at: 'paying' },
]

const Step = ({ words, isDone, isNow }: { words: string; isDone: boolean; isNow: boolean }) => (
  <li data-state={isDone ? 'done' : isNow ? 'now' : 'ahead'} aria-current={isNow && !isDone ? 'step' : undefined}>
    {isDone ? <Check aria-hidden /> : isNow ? <CircleDot aria-hidden /> : <Circle aria-hidden />} {words}
    {isDone && <span className="visually-hidden">, done</span>}
  </li>
)

function hintFor(stage: Stage, { answered, killed }: Tried): string {
  switch (stage) {
    case 'working':
      return answered ? 'It works on your answer.' : 'It searches. A question comes next.'
    case 'asking':
      return 'Answer here, or open a second tab and answer there.'
    case 'approving':
      return 'It is about to pay. Change the number of travellers, then approve.'
    case 'paying':
      return 'The bank has the money, and its answer takes some seconds. Kill the run now.'
    case 'over':
      return killed ? 'Done. The bank was paid once.' : 'Done. Start again to kill it in the middle of the payment.'
  }
}

import type { Event, RunState } from '@interleave/core'
import { openCalls } from '@interleave/core/steps'
import { useRun } from '@interleave/react'
import { Check, Circle, CircleDot, RotateCcw } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { answerMs } from '../bank/Bank.ts'
import { KillButton, useCanKill } from '../kill/KillButton.tsx'
import { own } from '../parts/objects.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePage, usePlayground } from '../run/usePlayground.ts'
import type { Mark } from '../shell/Marks.ts'
import { useMedia } from '../shell/useMedia.ts'
import { guided, useHasLedger } from './guided.ts'
import { LedgerView } from './LedgerView.tsx'
import { SecondTab } from './SecondTab.tsx'
import { useCountdown } from './useCountdown.ts'
import './firstMinute.css'

/** Shows the steps to try in the guided run, and ticks those that were tried. */
export function FirstMinute({ conversation }: { conversation: Conversation }) {
  const { run } = conversation
  const { showInside, choosePane, openDialog, start } = usePlayground()
  const mark = usePage(({ marks }) => own(marks, run.id))
  useSeen(run.id, mark)
  const canKill = useCanKill(conversation)
  const hasLedger = useHasLedger(conversation)
  const tried = triedIn(useEvents(conversation), mark)
  const stage = useRun(run, stageOf)
  const left = useCountdown(useRun(run, answersAtIn))
  const isMissed = stage === 'over' && !tried.killed && canKill
  const isNarrow = useMedia('(width < 48rem)')
  const seeCode = (): void => {
    showInside('code')
    choosePane('details')
  }
  return (
    <section className="first-minute" aria-label="Things to try">
      <ol>
        <Step isDone={tried.answered} isNow={stage === 'asking'}>
          Answer its question
        </Step>
        <Step isDone={tried.changed} isNow={stage === 'approving'}>
          Change what it will do
        </Step>
        <Step isDone={tried.killed} isNow={stage === 'paying'}>
          Kill it
        </Step>
        <Step isDone={tried.sawCode}>
          <button type="button" onClick={seeCode}>
            See the code
          </button>
        </Step>
        <Step isDone={tried.sawTest}>
          <button type="button" aria-haspopup="dialog" onClick={() => openDialog('test')}>
            Get a test
          </button>
        </Step>
      </ol>
      <p>
        {stage === 'over' && !canKill
          ? 'Done. Run it in this tab or in a worker to kill it.'
          : hintFor(stage, { ...tried, left })}
      </p>
      {(stage !== 'over' || isMissed || !isNarrow) && (
        <div className="first-minute-actions">
          {isMissed && (
            <button type="button" className="button primary" onClick={() => void start(guided.offer, guided.prompt)}>
              <RotateCcw aria-hidden /> Start again
            </button>
          )}
          {stage !== 'over' && <KillButton conversation={conversation} isPrimary={stage === 'paying'} />}
          <SecondTab runId={run.id} />
        </div>
      )}
      {isNarrow && hasLedger && <LedgerView conversation={conversation} />}
    </section>
  )
}

interface StepProps {
  readonly isDone: boolean
  readonly isNow?: boolean
  readonly children: ReactNode
}

const Step = ({ isDone, isNow = false, children }: StepProps) => (
  <li data-state={isDone ? 'done' : isNow ? 'now' : 'ahead'} aria-current={isNow && !isDone ? 'step' : undefined}>
    {isDone ? <Check aria-hidden /> : isNow ? <CircleDot aria-hidden /> : <Circle aria-hidden />} {children}
    {isDone && <span className="visually-hidden">, done</span>}
  </li>
)

/** Records that the user has seen the code or the test of the run. */
function useSeen(runId: string, { sawCode, sawTest }: Mark = {}): void {
  const { mark } = usePlayground()
  const seesCode = usePage(({ inside }) => inside === 'code')
  const seesTest = usePage(({ dialog }) => dialog === 'test')
  useEffect(() => {
    if (seesCode && !sawCode) mark(runId, { sawCode: true })
    if (seesTest && !sawTest) mark(runId, { sawTest: true })
  }, [mark, runId, seesCode, seesTest, sawCode, sawTest])
}

interface Hinting extends Tried {
  /** The seconds until the bank answers. */
  readonly left: number
}

function hintFor(stage: Stage, { answered, killed, left }: Hinting): string {
  switch (stage) {
    case 'working':
      return answered ? 'It works on your answer.' : 'It searches. A question comes next.'
    case 'asking':
      return 'Answer here, or open a second tab and answer there.'
    case 'approving':
      return 'It is about to pay. Change the number of travellers, then approve.'
    case 'paying':
      if (killed) return 'It is back, and asks the bank again with the same key.'
      return `The bank has the money, and answers in ${left} s. Kill the run now: it pays once all the same.`
    case 'over':
      return killed
        ? 'Done. The bank was paid once.'
        : 'Done, and it was not killed. Start again, and kill it while it pays.'
  }
}

/** The stage of the guided run. */
type Stage = 'working' | 'asking' | 'approving' | 'paying' | 'over'

export function stageOf(state: RunState): Stage {
  if (state.asks.some(({ kind }) => kind === 'approval')) return 'approving'
  if (state.asks.length > 0) return 'asking'
  if (state.signal) return 'over'
  return paidSince(state) === undefined ? 'working' : 'paying'
}

/** Returns the time when the open booking began, if there is one. */
const paidSince = (state: RunState): number | undefined =>
  openCalls(state).find(({ name, claimedAt }) => name === 'book' && claimedAt !== undefined)?.claimedAt

/** Returns the time when the bank answers the open booking, if nothing interrupts it. */
function answersAtIn(state: RunState): number | undefined {
  const since = paidSince(state)
  return since === undefined ? undefined : since + answerMs
}

/** The steps that a visitor has tried. */
interface Tried {
  readonly answered: boolean
  readonly changed: boolean
  readonly killed: boolean
  readonly sawCode: boolean
  readonly sawTest: boolean
}

export function triedIn(events: readonly Event[], { kill, sawCode, sawTest }: Mark = {}): Tried {
  const questions = new Set(
    events.flatMap((event) => (event.type === 'asked' && event.ask.kind !== 'approval' ? [event.ask.id] : [])),
  )
  return {
    answered: events.some((event) => event.type === 'replied' && questions.has(event.ask)),
    // A call notes its input only if the user changed it.
    changed: events.some((event) => event.type === 'claimed' && event.input !== undefined),
    killed: kill?.backAt !== undefined,
    sawCode: sawCode === true,
    sawTest: sawTest === true,
  }
}

import { plainText } from '@interleave/react/untrusted'
import { ArrowLeftRight, X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { DiagnosisCard } from '../panels/DiagnosisCard.tsx'
import { CopyButton } from '../parts/CopyButton.tsx'
import { type ComparedRuns, linkTo, runLink } from '../run/address.ts'
import type { ShownComparison } from '../run/PlaygroundState.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { type FoundLog, type RunLog, useRunLog } from '../run/useRunLog.ts'
import { compareRuns } from './compareRuns.ts'
import { differenceWords } from './differenceWords.ts'
import { Totals } from './Totals.tsx'
import { TurnRow } from './TurnRow.tsx'
import './comparison.css'

/** Two runs side by side, turn by turn. What differs is marked, and the first of it has the focus. */
export function Comparison({ a, b, cameFrom }: ShownComparison) {
  const [logA, logB] = [useRunLog(a), useRunLog(b)]
  if (logA.type === 'loading' || logB.type === 'loading') {
    return (
      <p role="status" className="thinking comparison-loading">
        Reading both runs
      </p>
    )
  }
  if (logA.type === 'none' || logB.type === 'none') return <NoComparison a={a} b={b} logA={logA} logB={logB} />
  return <Compared runs={{ a, b }} logs={[logA, logB]} cameFrom={cameFrom} />
}

interface ComparedProps {
  readonly runs: ComparedRuns
  readonly logs: readonly [RunLog, RunLog]
  readonly cameFrom: string | undefined
}

function Compared({ runs, logs: [logA, logB], cameFrom }: ComparedProps) {
  const { compare, show } = usePlayground()
  const comparison = useMemo(() => compareRuns(logA.events, logB.events), [logA.events, logB.events])
  const { rows, firstDifference, totals } = comparison
  const words = differenceWords(comparison)
  const first = useRef<HTMLElement>(null)
  const summary = useRef<HTMLElement>(null)

  useEffect(() => {
    const target = first.current ?? summary.current
    const scroller = target?.closest('.comparison')
    if (first.current && scroller) reveal(first.current, scroller)
    target?.focus({ preventScroll: true })
  }, [])

  return (
    <div className="comparison">
      <header ref={summary} tabIndex={-1} className="comparison-head">
        <div className="comparison-bar">
          <h2>Two runs side by side</h2>
          <CopyButton
            label="Copy link"
            text={() => location.href.split('#')[0] + linkTo({ type: 'comparison', ...runs })}
          />
          <button type="button" className="button" onClick={() => compare({ a: runs.b, b: runs.a })}>
            <ArrowLeftRight aria-hidden /> Swap
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="Close the comparison"
            onClick={() => void show(cameFrom ?? (noteOf(logB, logA, runs.a) === 'Fork' ? runs.b : runs.a))}
          >
            <X aria-hidden />
          </button>
        </div>
        <p className="comparison-summary" data-same={firstDifference === undefined}>
          {words}
        </p>
        <Totals totals={totals} />
      </header>
      <div className="comparison-titles">
        <RunTitle side="A" runId={runs.a} title={logA.title} note={noteOf(logA, logB, runs.b)} />
        <RunTitle side="B" runId={runs.b} title={logB.title} note={noteOf(logB, logA, runs.a)} />
      </div>
      <ol className="comparison-rows">
        {rows.map((row, index) => (
          <TurnRow key={row.turn} row={row} runs={runs} focusRef={index === firstDifference ? first : undefined} />
        ))}
      </ol>
    </div>
  )
}

/** Space for the titles, which stay in view, and for a little of the previous row. */
const roomAbove = 90

/** Scrolls to it, if it is far down. Nothing else on the page scrolls. */
function reveal(element: HTMLElement, scroller: Element): void {
  const below = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top
  if (below > scroller.clientHeight / 2) scroller.scrollTop += below - roomAbove
}

/** Returns "Fork" or "Original" for one of two runs, if one is the fork of the other. */
function noteOf(own: RunLog, other: RunLog, otherId: string): string {
  const [mine, theirs] = [originOf(own), originOf(other)]
  if (mine?.runId === otherId) return 'Fork'
  const [started] = own.events
  return started?.type === 'started' && theirs?.runId === started.runId ? 'Original' : ''
}

function originOf({ events: [started] }: RunLog) {
  return started?.type === 'started' ? started.forkedFrom : undefined
}

interface RunTitleProps {
  readonly side: 'A' | 'B'
  readonly runId: string
  readonly title: string
  readonly note: string
}

const RunTitle = ({ side, runId, title, note }: RunTitleProps) => (
  <p>
    <span className="side">{side}</span>{' '}
    {note && (
      <>
        <strong>{note}</strong> ·{' '}
      </>
    )}
    <a href={runLink(runId)} dir="auto">
      {plainText(title)}
    </a>
  </p>
)

/** The placeholder of a comparison if one of the runs cannot be read. */
function NoComparison({ a, b, logA, logB }: ComparedRuns & { readonly logA: FoundLog; readonly logB: FoundLog }) {
  const { show } = usePlayground()
  const missing = [logA, logB].flatMap((log, index) => (log.type === 'none' ? [`${'AB'[index]}: ${log.why}`] : []))
  const there = logA.type === 'found' ? a : logB.type === 'found' ? b : undefined
  const diagnosis = {
    title: 'These runs cannot be compared',
    explanation: missing.join(' '),
    steps: [
      'It may have been deleted, here or in another tab.',
      'Or open its file, if it was exported, and compare again.',
    ],
  }
  return (
    <div role="alert" className="chat-content">
      <DiagnosisCard diagnosis={diagnosis}>
        <button type="button" className="button" onClick={() => void show(there)}>
          {there === undefined ? 'New run' : 'Show the other run'}
        </button>
      </DiagnosisCard>
    </div>
  )
}

import { type Ref, useState } from 'react'
import { count, duration } from '../parts/wording.ts'
import { type ComparedRuns, runLink } from '../run/address.ts'
import type { ComparedTurn, Difference } from './compareRuns.ts'
import { TurnCell } from './TurnCell.tsx'
import type { TurnFacts } from './turnFacts.ts'

export interface TurnRowProps {
  readonly row: ComparedTurn
  readonly runs: ComparedRuns
  readonly focusRef: Ref<HTMLElement> | undefined
}

/** One turn of both runs. It is collapsed if both are the same. */
export function TurnRow({ row, runs, focusRef }: TurnRowProps) {
  const { turn, a, b, differs } = row
  const isSame = differs.length === 0
  const [isOpen, setOpen] = useState(!isSame)
  return (
    <li className="turn-row" data-same={isSame}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary ref={focusRef}>
          <span className="turn-name">Turn {turn}</span>
          {isSame ? (
            <span className="turn-same">the same</span>
          ) : !a || !b ? (
            <span className="badge differs">only in {a ? 'A' : 'B'}</span>
          ) : (
            differs.map((what) => (
              <span key={what} className="badge differs">
                {names[what]}
              </span>
            ))
          )}
        </summary>
        {isOpen && (
          <div className="turn-cells">
            <Side side="A" runId={runs.a} own={a} other={b} differs={differs} />
            <Side side="B" runId={runs.b} own={b} other={a} differs={differs} />
          </div>
        )}
      </details>
    </li>
  )
}

const names: { readonly [What in Difference]: string } = {
  messages: 'other message',
  thought: 'other words',
  calls: 'other calls',
  inputs: 'other input',
  replies: 'other answer',
  outputs: 'other output',
  end: 'other end',
}

interface SideProps {
  readonly side: 'A' | 'B'
  readonly runId: string
  readonly own: TurnFacts | undefined
  readonly other: TurnFacts | undefined
  readonly differs: readonly Difference[]
}

function Side({ side, runId, own, other, differs }: SideProps) {
  if (!own) {
    return (
      <div className="turn-cell turn-none">
        <span className="side">{side}</span> Had ended.
      </div>
    )
  }
  const { seq, usage, ms } = own
  return (
    <section className="turn-cell" aria-label={`${side}, turn ${own.turn}`}>
      <p className="turn-facts">
        <span className="side">{side}</span>
        {usage && <span>{count(usage.inputTokens + usage.outputTokens)} tokens</span>}
        <span>{duration(ms)}</span>
        <a href={runLink(runId, { at: seq })}>event {seq}</a>
      </p>
      <TurnCell own={own} other={other} differs={differs} />
    </section>
  )
}

import type { Json, Run } from '@interleave/core'
import { SignalOutlet, useScratchpad, useSignal, useStatus } from '@interleave/react'
import { RotateCcw, Square } from 'lucide-react'
import { JsonValue } from '../parts/JsonValue.tsx'
import { duration } from '../parts/wording.ts'
import { stoppedByUser } from '../run/stoppedByUser.ts'

/** One call that was made here. */
export interface Tried {
  readonly number: number
  readonly tool: string
  readonly input: Json
  readonly run: Run
}

/** The result of one call: its output or error, its time and its open questions. */
export function BenchCall({ tried: { number, tool, input, run }, onAgain }: { tried: Tried; onAgain: () => void }) {
  const { status } = useStatus(run)
  const seen = useScratchpad(run).find((entry) => entry.type === 'observation')
  const failed = useSignal(run, 'failed')
  const observation = seen?.type === 'observation' ? seen : undefined
  const error = observation?.error ?? failed?.error
  const isOpen = status === 'working' || status === 'waiting'
  return (
    <article className="bench-call" data-state={error ? 'failed' : isOpen ? 'open' : 'done'}>
      <header>
        <h3>
          {number}. <code>{tool}</code>
        </h3>
        <span role="status">
          {status === 'waiting' ? 'Waits for you' : isOpen && !observation ? 'Working …' : error ? 'Failed' : 'Done'}
          {observation && ` · ${duration(observation.ms)}`}
        </span>
        {isOpen && !observation ? (
          <button type="button" className="button" onClick={() => void run.stop(stoppedByUser)}>
            <Square aria-hidden /> Stop
          </button>
        ) : (
          <button type="button" className="button" onClick={onAgain}>
            <RotateCcw aria-hidden /> Use its input
          </button>
        )}
      </header>
      <details>
        <summary>Input</summary>
        <JsonValue value={input} label={`Input of call ${number}`} />
      </details>
      {error ? (
        <p className="bench-error">
          <strong>{error.code}</strong> {error.message}
        </p>
      ) : (
        observation && <JsonValue value={observation.output} label={`Output of call ${number}`} />
      )}
      <SignalOutlet run={run} failures={false} />
    </article>
  )
}

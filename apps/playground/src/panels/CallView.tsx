import { useStatus } from '@interleave/react'
import { Ban, Check, CircleAlert, CirclePause, GitFork, Hourglass, LoaderCircle } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { JsonValue } from '../parts/JsonValue.tsx'
import { duration, toolWords } from '../parts/wording.ts'
import type { CallMessage } from '../run/messages.ts'
import { usePlayground, useShown } from '../run/usePlayground.ts'

const icons = {
  'under way': LoaderCircle,
  'waits for you': Hourglass,
  done: Check,
  refused: Ban,
  failed: CircleAlert,
  interrupted: CirclePause,
} as const

/** A tool call in one line, which opens to show its input and output. */
export function CallView({ call }: { call: CallMessage }) {
  const [isOpen, setOpen] = useState(false)
  const { tool, permission, ms, waitedMs, error } = call
  const isSettled = useStatus(useShown()?.run).status === 'settled'
  const state = isSettled && call.state === 'under way' ? 'interrupted' : call.state
  const Icon = icons[state]
  return (
    <>
      <details
        className="call"
        data-state={state}
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <Icon aria-hidden /> {toolWords(tool)} <span className="call-state">{state === 'done' ? '' : state}</span>
          {state === 'done' && <span className="visually-hidden">done</span>}
          {permission !== undefined && <span className="call-state">allowed earlier</span>}
          {ms !== undefined && <span className="call-time">{duration(ms)}</span>}
          {waitedMs !== undefined && <span className="call-time">waited {duration(waitedMs)}</span>}
          {error && error.message !== 'Refused.' && <span className="call-error">{error.message}</span>}
        </summary>
        {isOpen && <InAndOut call={call} />}
      </details>
      {tool === 'openShelf' && state === 'done' && <CallApp call={call} />}
    </>
  )
}

/** The app of the shop, where the call is part of the run as it is now. */
function CallApp({ call }: { call: CallMessage }) {
  const shown = useShown()
  const run = shown?.past ? undefined : shown?.run
  return <Suspense>{run && <ShelfApp run={run} callKey={call.key} />}</Suspense>
}

const ShelfApp = lazy(async () => ({ default: (await import('../shop/ShelfApp.tsx')).ShelfApp }))

function InAndOut({ call: { tool, input, seq, output, error } }: { call: CallMessage }) {
  const { openFork, selectEvent, choosePane } = usePlayground()
  return (
    <div className="call-body">
      <h3>In</h3>
      <JsonValue value={input ?? null} label={`Input of ${tool}`} />
      {seq !== undefined && (
        <>
          <h3>Out</h3>
          {error ? (
            <p className="call-error">{error.message}</p>
          ) : (
            <JsonValue value={output ?? null} label={`Output of ${tool}`} />
          )}
          <p className="call-actions">
            <button type="button" className="button" aria-haspopup="dialog" onClick={() => openFork(seq)}>
              <GitFork aria-hidden /> Fork with another observation
            </button>
            <button
              type="button"
              className="button"
              onClick={() => {
                selectEvent(seq)
                choosePane('details')
              }}
            >
              Event {seq}
            </button>
          </p>
        </>
      )}
    </div>
  )
}

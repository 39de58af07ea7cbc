import { isAgentError } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { useEffect, useRef } from 'react'
import { isNotFetched } from '../parts/errorWords.ts'
import { notFetched } from '../parts/later.tsx'
import type { Trouble as Failed } from '../run/PlaygroundState.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'

/** Shows what the user asked for and could not be done, and why. */
export function Trouble() {
  const trouble = usePage((page) => page.trouble)
  const alert = useRef<HTMLDivElement>(null)
  // The agent that was chosen may be far below.
  useEffect(() => {
    if (trouble !== undefined) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [trouble])
  if (trouble === undefined) return null
  return (
    <div ref={alert} role="alert">
      <TroubleCard trouble={trouble} />
    </div>
  )
}

function TroubleCard({ trouble: { task, error } }: { trouble: Failed }) {
  const { openDialog } = usePlayground()
  const isDemo = usePage((page) => page.connection.type === 'demo')
  const message = messageOf(error)
  if (isNotFetched(message))
    return (
      <DiagnosisCard diagnosis={{ ...notLoaded, detail: message }}>
        <button type="button" className="button" onClick={notFetched.action.run}>
          {notFetched.action.label}
        </button>
      </DiagnosisCard>
    )
  // Such a message says itself what to do.
  const isChoice = isAgentError(error) && error.code === 'options_invalid'
  const isOfModel = task !== 'move' && !isChoice && !isDemo
  const steps = isOfModel ? ['Check the fields of the model.', 'Or use the demo planner, which needs nothing.'] : []
  return (
    <DiagnosisCard diagnosis={{ title: titles[task], explanation: message, steps }}>
      {isOfModel && (
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => openDialog('models')}>
          Change the model…
        </button>
      )}
    </DiagnosisCard>
  )
}

const titles: Readonly<Record<Failed['task'], string>> = {
  start: 'The run could not be started',
  move: 'The run could not be moved',
  model: 'The model could not be changed',
}

const notLoaded = {
  title: 'A part of the page could not be loaded',
  explanation: 'There is no network, or a newer version replaced it. Your runs are kept.',
  steps: [],
}

import { isAgentError } from '@interleave/core'
import { useEffect, useRef } from 'react'
import { usePage } from '../run/usePlayground.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'

/** Why no run could be started, where none was. */
export function Trouble() {
  const trouble = usePage((page) => page.trouble)
  const alert = useRef<HTMLDivElement>(null)
  // The agent that was chosen may be far below.
  useEffect(() => {
    if (trouble !== undefined) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [trouble])
  if (trouble === undefined) return null
  const explanation = trouble instanceof Error ? trouble.message : String(trouble)
  // Such a message says itself what to do.
  const isChoice = isAgentError(trouble) && trouble.code === 'options_invalid'
  const steps = isChoice
    ? []
    : ['Look at the fields of the model, at the top of the page.', 'Or use the demo planner, which needs nothing.']
  return (
    <div ref={alert} role="alert">
      <DiagnosisCard diagnosis={{ title: 'The run could not be started', explanation, steps }} />
    </div>
  )
}

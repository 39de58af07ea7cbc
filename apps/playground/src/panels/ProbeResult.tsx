import { PlugZap } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Probe } from '../models/index.ts'
import { counted } from '../parts/wording.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'

export interface ProbeResultProps {
  readonly result: Probe | 'asking' | undefined
  readonly onAsk: () => void
}

/** Asks the server behind the fields whether it is there, before anything depends on it. */
export function ProbeResult({ result, onAsk }: ProbeResultProps) {
  const verdict = useRef<HTMLDivElement>(null)
  // It may be below what is seen of a long dialog.
  useEffect(() => {
    if (typeof result === 'object') verdict.current?.scrollIntoView({ block: 'center' })
  }, [result])
  return (
    <div ref={verdict} className="probe" role="status">
      <button type="button" className="button" disabled={result === 'asking'} onClick={onAsk}>
        <PlugZap aria-hidden /> {result === 'asking' ? 'Asking' : 'Test the connection'}
      </button>
      {typeof result === 'object' && <Outcome result={result} />}
    </div>
  )
}

function Outcome({ result }: { result: Probe }) {
  if (!result.ok) return <DiagnosisCard diagnosis={result.diagnosis} />
  const { models } = result
  return (
    <p>
      It answers, with {counted(models.length, 'model')}
      {models.length > 0 && `: ${models.slice(0, 8).join(', ')}${models.length > 8 ? ' …' : ''}`}.
    </p>
  )
}

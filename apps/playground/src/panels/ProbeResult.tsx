import { PlugZap } from 'lucide-react'
import { useState } from 'react'
import { type Connection, type Probe, probe } from '../models/index.ts'
import { counted } from '../parts/wording.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'

/** Asks the server behind the fields whether it is there, before anything depends on it. */
export function ProbeResult({ read }: { read: () => Connection | null }) {
  const [result, show] = useState<Probe | 'asking'>()
  const ask = async (): Promise<void> => {
    const connection = read()
    if (!connection) return
    show('asking')
    show(await probe(connection))
  }
  return (
    <div className="probe" role="status">
      <button type="button" className="button" disabled={result === 'asking'} onClick={() => void ask()}>
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

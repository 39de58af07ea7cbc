import { DiagnosisCard } from '../panels/DiagnosisCard.tsx'
import type { ComparedRuns } from '../run/address.ts'
import { usePlayground } from '../run/usePlayground.ts'
import type { FoundLog } from '../run/useRunLog.ts'

/** The placeholder of a comparison if one of the runs cannot be read. */
export function NoComparison({
  a,
  b,
  logA,
  logB,
}: ComparedRuns & { readonly logA: FoundLog; readonly logB: FoundLog }) {
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

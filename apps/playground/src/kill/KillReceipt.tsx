import { Zap } from 'lucide-react'
import { usePayments } from '../firstMinute/usePayments.ts'
import { own } from '../parts/objects.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePage } from '../run/usePlayground.ts'
import { killWords } from './Kill.ts'

/** Shows the result of the last kill of a run. */
export function KillReceipt({ conversation }: { conversation: Conversation }) {
  const kill = usePage(({ marks }) => own(marks, conversation.run.id)?.kill)
  const events = useEvents(conversation)
  const payments = usePayments(conversation)
  if (!kill) return null
  return (
    <div className="found-notice">
      <Zap aria-hidden />
      <p role="status">{killWords(kill, events, payments)}</p>
    </div>
  )
}

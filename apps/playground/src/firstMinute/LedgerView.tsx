import { useStatus } from '@interleave/react'
import { Landmark } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Payment } from '../bank/Bank.ts'
import { counted } from '../parts/wording.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePlayground } from '../run/usePlayground.ts'
import './ledger.css'

/** Shows the payments of a run, as the bank has them. It does not read the run's log. */
export function LedgerView({ conversation }: { conversation: Conversation }) {
  const payments = usePayments(conversation)
  return (
    <section className="ledger" aria-label="Ledger of the bank">
      <h3>
        <Landmark aria-hidden /> Ledger of the bank
      </h3>
      <p>A record outside of the run. Its tools write it, each payment under the idempotency key of its call.</p>
      {payments.length === 0 ? (
        <p className="ledger-empty">No payment yet.</p>
      ) : (
        <ul>
          {payments.map((payment) => (
            <PaymentLine key={payment.key} payment={payment} />
          ))}
        </ul>
      )}
    </section>
  )
}

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

const PaymentLine = ({ payment: { what, amount, at, asked } }: { payment: Payment }) => (
  <li>
    <span className="ledger-what">{what}</span>
    <strong>€{amount}</strong>
    <small>
      paid once, at {time.format(at)} · asked {counted(asked, 'time')}
    </small>
  </li>
)

function usePayments({ run, place }: Conversation): readonly Payment[] {
  const { id: runId } = run
  const { status } = useStatus(run)
  // The server is polled, so only while there may be more payments.
  const isWatched = place !== 'server' || status === 'working'
  const { openStorage } = usePlayground()
  const [payments, setPayments] = useState<readonly Payment[]>([])
  useEffect(() => {
    let isOver = false
    let leave = (): void => {}
    const watch = async (): Promise<void> => {
      const { bank, servers } = await openStorage()
      const ledger = place === 'server' ? servers?.server.ledger : bank
      if (!ledger || isOver) return
      const load = async (): Promise<void> => {
        const found = await ledger.paymentsOf(runId)
        if (!isOver) setPayments(found)
      }
      if (isWatched) leave = ledger.watch(() => void load().catch(() => {}))
      await load()
    }
    // A browser without a database has no ledger to show.
    watch().catch(() => {})
    return () => {
      isOver = true
      leave()
    }
  }, [openStorage, runId, place, isWatched])
  return payments
}

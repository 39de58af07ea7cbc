import { Landmark } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Payment } from '../bank/Bank.ts'
import { counted } from '../parts/wording.ts'
import { usePlayground } from '../run/usePlayground.ts'
import './ledger.css'

/** Shows the payments of a run, as the bank has them. The run's log has no part in it. */
export function LedgerView({ runId }: { runId: string }) {
  const payments = usePayments(runId)
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

function usePayments(runId: string): readonly Payment[] {
  const { keep } = usePlayground()
  const [payments, show] = useState<readonly Payment[]>([])
  useEffect(() => {
    let isOver = false
    let leave = (): void => {}
    const watch = async (): Promise<void> => {
      const { bank } = await keep()
      if (!bank || isOver) return
      const look = async (): Promise<void> => {
        const found = await bank.paymentsOf(runId)
        if (!isOver) show(found)
      }
      leave = bank.watch(() => void look().catch(() => {}))
      await look()
    }
    // A browser without a database has no ledger to show.
    watch().catch(() => {})
    return () => {
      isOver = true
      leave()
    }
  }, [keep, runId])
  return payments
}

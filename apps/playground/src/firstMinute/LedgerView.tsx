import { Landmark } from 'lucide-react'
import { answersAt, type Payment } from '../bank/Bank.ts'
import { counted } from '../parts/wording.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useCountdown } from './useCountdown.ts'
import { usePayments } from './usePayments.ts'
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

function PaymentLine({ payment }: { payment: Payment }) {
  const { what, amount, at, asked } = payment
  const left = useCountdown(answersAt(payment))
  return (
    <li>
      <span className="ledger-what">{what}</span>
      <strong>€{amount}</strong>
      <small>
        paid once, at {time.format(at)} · asked {counted(asked, 'time')}
        {left > 0 && ` · answers in ${left} s`}
      </small>
    </li>
  )
}

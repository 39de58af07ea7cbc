import type { Usage } from '@interleave/core'
import { useUsage } from '@interleave/react'
import { count, duration, money } from '../parts/wording.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import './usageTable.css'

/** What each turn used and cost, and all of them together. */
export function UsageTable({ conversation: { run, connection } }: { conversation: Conversation }) {
  const { total, iterations } = useUsage(run)
  const most = Math.max(1, ...iterations.map(({ usage }) => usage.inputTokens + usage.outputTokens))
  return (
    <div className="usage">
      <dl className="totals">
        <Total name="Tokens in" value={count(total.inputTokens)} />
        <Total name="Tokens out" value={count(total.outputTokens)} />
        <Total name="From cache" value={count(total.cachedInputTokens)} />
        <Total name="Cost" value={cost(total)} />
      </dl>
      {connection.type === 'demo' && (
        <p className="usage-note">
          Tokens are estimated: the demo planner works by rules and uses none. It costs nothing.
        </p>
      )}
      <table>
        <caption className="visually-hidden">Usage by turn</caption>
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">In</th>
            <th scope="col">Out</th>
            <th scope="col">Time</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {iterations.map(({ iteration, usage, ms }) => (
            <tr
              key={iteration}
              style={{ backgroundSize: `${(100 * (usage.inputTokens + usage.outputTokens)) / most}% 100%` }}
            >
              <th scope="row">{iteration}</th>
              <td>{count(usage.inputTokens)}</td>
              <td>{count(usage.outputTokens)}</td>
              <td>{duration(ms)}</td>
              <td>{cost(usage)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Total = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

/** A model without a price is not free. */
function cost({ cost: amount, unpricedTurns }: Usage): string {
  if (unpricedTurns === 0) return money(amount)
  return amount === 0 ? 'no price' : `${money(amount)} and more`
}

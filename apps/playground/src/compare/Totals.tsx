import { count, duration, money } from '../parts/wording.ts'
import type { Pair, RunTotals } from './compareRuns.ts'

/** How much each of two runs took. */
export function Totals({ totals: { a, b } }: { totals: Pair<RunTotals> }) {
  return (
    <table className="comparison-totals">
      <caption className="visually-hidden">What each run took</caption>
      <thead>
        <tr>
          <td />
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Line name="A" totals={a} />
        <Line name="B" totals={b} />
      </tbody>
    </table>
  )
}

const Line = ({ name, totals }: { name: string; totals: RunTotals }) => (
  <tr>
    <th scope="row">
      <span className="side">{name}</span>
    </th>
    {columns.map(({ title, of }) => (
      <td key={title}>{of(totals)}</td>
    ))}
  </tr>
)

const columns: readonly { readonly title: string; readonly of: (totals: RunTotals) => string }[] = [
  { title: 'Turns', of: ({ turns }) => count(turns) },
  { title: 'Calls', of: ({ calls }) => count(calls) },
  { title: 'Tokens', of: ({ usage }) => count(usage.inputTokens + usage.outputTokens) },
  { title: 'Cost', of: ({ usage }) => (usage.unpricedTurns > 0 && usage.cost === 0 ? 'no price' : money(usage.cost)) },
  { title: 'Time', of: ({ ms }) => duration(ms) },
]

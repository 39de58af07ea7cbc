import { count, duration, money } from '../parts/wording.ts'
import type { Pair, RunTotals } from './compareRuns.ts'

/** The totals of two runs: turns, tokens, cost and time. */
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
        <tr className="comparison-deltas">
          <th scope="row">
            <span aria-hidden>±</span> <span className="visually-hidden">B compared with A</span>
          </th>
          {columns.map(({ title, delta }) => (
            <td key={title}>{delta(a, b)}</td>
          ))}
        </tr>
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

interface Column {
  readonly title: string
  readonly of: (totals: RunTotals) => string
  readonly delta: (a: RunTotals, b: RunTotals) => string
}

/** With a sign: +2, −1, 0. */
const signed = (amount: number, words: (amount: number) => string): string =>
  amount === 0 ? '0' : `${amount > 0 ? '+' : '−'}${words(Math.abs(amount))}`

const column = (
  title: string,
  of: (totals: RunTotals) => number,
  words: (amount: number) => string = count,
): Column => ({
  title,
  of: (totals) => words(of(totals)),
  delta: (a, b) => signed(of(b) - of(a), words),
})

const isUnpriced = ({ usage }: RunTotals): boolean => usage.unpricedTurns > 0 && usage.cost === 0
const cost = column('Cost', ({ usage }) => usage.cost, money)

const columns: readonly Column[] = [
  column('Turns', ({ turns }) => turns),
  column('Calls', ({ calls }) => calls),
  column('Tokens', ({ usage }) => usage.inputTokens + usage.outputTokens),
  {
    ...cost,
    of: (totals) => (isUnpriced(totals) ? 'no price' : cost.of(totals)),
    delta: (a, b) => (isUnpriced(a) || isUnpriced(b) ? '' : cost.delta(a, b)),
  },
  column('Time', ({ ms }) => ms, duration),
]

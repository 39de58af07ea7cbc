import { plainText } from '@interleave/react/untrusted'
import { type EvalResult, passRate } from '@interleave/testing'
import { useStore } from 'zustand'
import { duration } from '../parts/wording.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { many } from './manyRuns.ts'

/** The pass rates so far, case by case. Each run can be opened. */
export function ManyResults({ onOpen }: { onOpen: () => void }) {
  const { results, dataSet, evaluation } = useStore(many)
  if (results.length === 0) return null
  const all = passRate(results)
  const rates = new Map(evaluation?.cases.map(({ id, rate }) => [id, rate]))
  // Failed cases come first, once all runs are done.
  const cases = [...dataSet.cases].sort((a, b) => (rates.get(a.id) ?? 0) - (rates.get(b.id) ?? 0))
  const [from, to] = all.interval
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section className="many-results" aria-label="Pass rates" tabIndex={0}>
      <table>
        <caption>
          <strong>
            {percent(all.rate)} passed: {all.passed} of {all.runs}
          </strong>{' '}
          <span>
            With 95 % confidence {percent(from)} to {percent(to)}.
          </span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Case</th>
            <th scope="col">Passed</th>
            <th scope="col">Runs</th>
          </tr>
        </thead>
        <tbody>
          {cases.flatMap(({ id, input }) => {
            const own = results.filter(({ caseId }) => caseId === id)
            return own.length > 0 ? [<CaseRow key={id} input={input} results={own} onOpen={onOpen} />] : []
          })}
        </tbody>
      </table>
    </section>
  )
}

interface CaseRowProps {
  readonly input: string
  readonly results: readonly EvalResult[]
  readonly onOpen: () => void
}

function CaseRow({ input, results, onOpen }: CaseRowProps) {
  const { passed, runs, rate } = passRate(results)
  const why = results.find((result) => !result.passed)?.why
  return (
    <tr data-passed={passed === runs}>
      <th scope="row">
        {plainText(input).slice(0, 300)}
        {why && <small>{plainText(why).slice(0, 300)}</small>}
      </th>
      <td>
        {percent(rate)} <small>{`${passed}/${runs}`}</small>
      </td>
      <td>
        <ul>
          {[...results]
            .sort((a, b) => a.number - b.number)
            .map((result) => (
              <li key={result.runId}>
                <RunButton input={input} result={result} onOpen={onOpen} />
              </li>
            ))}
        </ul>
      </td>
    </tr>
  )
}

interface RunButtonProps {
  readonly input: string
  readonly result: EvalResult
  readonly onOpen: () => void
}

function RunButton({ input, result: { runId, number, passed, ms }, onOpen }: RunButtonProps) {
  const { show } = usePlayground()
  const open = (): void => {
    onOpen()
    void show(runId)
  }
  return (
    <button type="button" className="button" data-passed={passed} title={duration(ms)} onClick={open}>
      {passed ? '✓' : '✗'} <span className="many-open">Open</span>
      <span className="visually-hidden">{` run ${number} of “${input.slice(0, 80)}”, ${passed ? 'passed' : 'not passed'}`}</span>
    </button>
  )
}

const percent = (rate: number): string => `${Math.round(rate * 100)} %`

import { type Ask, localHost } from '@interleave/core'
import {
  contains,
  type EvalCase,
  type EvalResult,
  type Evaluation,
  evaluate,
  exact,
  jsonEqual,
  judge,
  readCases,
  type Scorer,
} from '@interleave/testing'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { agentFrom } from '../agents/agentFrom.ts'
import { agents } from '../agents/index.ts'
import { pageFunctions } from '../docs/pageFunctions.ts'
import { errorWords } from '../parts/errorWords.ts'
import { bytes } from '../parts/wording.ts'
import { fileOf } from '../run/edits.ts'
import type { Playground } from '../run/Playground.ts'
import { createRunModel } from '../run/runModel.ts'
import { toStored } from '../storage/storedConnection.ts'

export type ScorerName = 'contains' | 'exact' | 'json' | 'judge'

export interface DataSet {
  readonly name: string
  readonly cases: readonly EvalCase[]
}

/** Many runs over a data set, as the page shows them. They stay while their dialog is closed. */
export interface ManyRuns {
  readonly offerId: string
  readonly dataSet: DataSet
  readonly scorer: ScorerName
  readonly runs: number
  readonly isWorking: boolean
  readonly results: readonly EvalResult[]
  readonly evaluation?: Evaluation | undefined
  readonly problem?: string | undefined
}

const sums: readonly (readonly [string, string])[] = [
  ['What is 15% of 84.50?', '12.675'],
  ['Calculate 12 * (3 + 4)', '84'],
  ['What is 12 times 7 plus 1?', '85'],
  ['add 2 and 3', '5'],
  ['subtract 2 from 10', '8'],
  ['multiply 1,200 by 3', '3600'],
  ['the square root of 81', '9'],
  ['3 squared', '9'],
  ['What is 100 / 8?', '12.5'],
  ['Convert 26.2 miles to km', '42.16'],
  ['Convert 100 fahrenheit to celsius', '37.7'],
  ['What is seven times eight?', '56'],
]

/** Something to try at once. The demo planner reads digits only, so the last one does not pass. */
const sampleCases: readonly EvalCase[] = sums.map(([input, expected], index) => ({
  id: String(index + 1),
  input,
  expected,
}))

const mostRuns = 500
/** The limit of a file, which is read while the page waits. */
const mostBytes = 2_000_000

export const many: StoreApi<ManyRuns> = createStore<ManyRuns>(() => ({
  offerId: 'calculator',
  dataSet: { name: 'Sample: 12 sums', cases: sampleCases },
  scorer: 'contains',
  runs: 1,
  isWorking: false,
  results: [],
}))

/** Reads a data set from the user's disk. A problem with it is shown. */
export async function readDataSet(file: File): Promise<void> {
  try {
    const format = /\.csv$/i.test(file.name) ? 'csv' : 'jsonl'
    if (file.size > mostBytes)
      throw new Error(`The file is larger than ${bytes(mostBytes)}. Split it, or use \`npx interleave test\`.`)
    const cases = await readCases(new Uint8Array(await file.arrayBuffer()), { format })
    many.setState({ dataSet: { name: file.name, cases }, results: [], evaluation: undefined, problem: undefined })
  } catch (error) {
    many.setState({ problem: errorWords(error) })
  }
}

let stopping = new AbortController()

export const stopMany = (): void => stopping.abort(new Error('Stopped.'))

/** Runs the chosen agent over the data set. Each run is persisted, like any other run of the page. */
export async function startMany({ store, openStorage, change }: Playground): Promise<void> {
  const { offerId, dataSet, runs, isWorking } = many.getState()
  if (isWorking) return
  const offer = agents.find(({ id }) => id === offerId)
  const page = store.getState()
  stopping = new AbortController()
  many.setState({ isWorking: true, results: [], evaluation: undefined, problem: undefined })
  try {
    if (!offer) throw new Error('There is no such agent.')
    if (dataSet.cases.length * runs > mostRuns)
      throw new Error(
        `These are ${dataSet.cases.length * runs} runs. Use at most ${mostRuns} in this page, or \`npx interleave test\`.`,
      )
    const { connection } = page
    const file = fileOf(offer, page.edits)
    const [storage, runModel] = await Promise.all([openStorage(), createRunModel({ connection, prices: page.prices })])
    const evaluation = await evaluate({
      agent: () => agentFrom(file, { ...runModel, page: pageFunctions }),
      cases: dataSet.cases,
      scorer: scorerOf(many.getState().scorer, runModel),
      runs,
      runOptions: { reply: anyReply, journal: storage.journal, host: localHost },
      limits: { signal: stopping.signal },
      onResult(result) {
        const { runId } = result
        void storage.records
          .put({ runId, offer: offer.id, file, connection: toStored(connection), place: 'page' })
          .catch(() => {})
        many.setState(({ results }) => ({ results: [...results, result] }))
      },
    })
    many.setState({ evaluation })
  } catch (error) {
    many.setState({ problem: errorWords(error) })
  } finally {
    many.setState({ isWorking: false })
    change()
  }
}

function scorerOf(name: ScorerName, { model }: Awaited<ReturnType<typeof createRunModel>>): Scorer {
  switch (name) {
    case 'contains':
      return contains()
    case 'exact':
      return exact()
    case 'json':
      return jsonEqual()
    case 'judge':
      return judge({ model })
  }
}

/** Answers a question without a user: the first option, yes, or nothing. Undefined for what only a user can know. */
function anyReply(ask: Ask): unknown {
  switch (ask.kind) {
    case 'choice':
      return ask.options[0]?.value
    case 'choices':
      return ask.options.slice(0, Math.max(1, ask.min)).map(({ value }) => value)
    case 'confirm':
      return true
    case 'approval':
      return { approved: true }
    default:
      return undefined
  }
}

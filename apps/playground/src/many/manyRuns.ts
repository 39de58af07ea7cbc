import { localHost } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
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
import { toKept } from '../kept/keptConnection.ts'
import { bytes } from '../parts/wording.ts'
import { fileOf } from '../run/edits.ts'
import { createMind } from '../run/mind.ts'
import type { Playground } from '../run/Playground.ts'
import { anyReply } from './anyReply.ts'
import { sampleCases } from './sampleCases.ts'

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

/** Reads a data set from the user's disk. What is wrong with it is shown. */
export async function readDataSet(file: File): Promise<void> {
  try {
    const format = /\.csv$/i.test(file.name) ? 'csv' : 'jsonl'
    if (file.size > mostBytes)
      throw new Error(`The file is larger than ${bytes(mostBytes)}. Split it, or use \`npx interleave test\`.`)
    const cases = await readCases(new Uint8Array(await file.arrayBuffer()), { format })
    many.setState({ dataSet: { name: file.name, cases }, results: [], evaluation: undefined, problem: undefined })
  } catch (error) {
    many.setState({ problem: messageOf(error) })
  }
}

let stopping = new AbortController()

export const stopMany = (): void => stopping.abort(new Error('Stopped.'))

/** Runs the chosen agent over the data set. Each run is persisted, like any other run of the page. */
export async function startMany({ store, keep, change }: Playground): Promise<void> {
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
    const [kept, mind] = await Promise.all([keep(), createMind({ connection, prices: page.prices })])
    const evaluation = await evaluate({
      agent: () => agentFrom(file, { ...mind, page: pageFunctions }),
      cases: dataSet.cases,
      scorer: scorerOf(many.getState().scorer, mind),
      runs,
      runOptions: { reply: anyReply, journal: kept.journal, host: localHost },
      limits: { signal: stopping.signal },
      onResult(result) {
        const { runId } = result
        void kept.records
          .put({ runId, offer: offer.id, file, connection: toKept(connection), place: 'page' })
          .catch(() => {})
        many.setState(({ results }) => ({ results: [...results, result] }))
      },
    })
    many.setState({ evaluation })
  } catch (error) {
    many.setState({ problem: messageOf(error) })
  } finally {
    many.setState({ isWorking: false })
    change()
  }
}

function scorerOf(name: ScorerName, { model }: Awaited<ReturnType<typeof createMind>>): Scorer {
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

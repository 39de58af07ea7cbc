import { adviceFor } from './advice.ts'
import type { Connection } from './connections.ts'
import { type Problem, problemOf } from './problem.ts'
import { symptomOf } from './symptom.ts'

/** What is wrong with the way to a model, and what to do next. */
export interface Diagnosis {
  readonly problem: Problem
  readonly title: string
  readonly explanation: string
  readonly steps: readonly string[]
  /** What the server or the browser itself said. */
  readonly detail?: string
}

/** Reads any error of a model call: a thrown one, or the failure that a run rests with. */
export function diagnose(error: unknown, connection: Connection): Diagnosis {
  const symptom = symptomOf(error)
  // A local server forbids pages; a cloud whose answer can be read at all forbids a key.
  const problem = problemOf(symptom, connection.type === 'server' ? 'origin' : 'key')
  return diagnosisOf(problem, { connection, detail: symptom.text })
}

export function diagnosisOf(
  problem: Problem,
  { connection, detail = '' }: { connection: Connection; detail?: string },
): Diagnosis {
  const said = detail.trim().slice(0, 500)
  return { problem, ...adviceFor(problem, connection), ...(said !== '' && { detail: said }) }
}

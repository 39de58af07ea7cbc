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
  return diagnosisOf(problemFor(problemOf(symptom), connection), { connection, detail: symptom.text })
}

/** The same words mean different things: a cloud that forbids is about the key, a local server about the page. */
function problemFor(problem: Problem, connection: Connection): Problem {
  const isDirect = connection.type !== 'demo' && connection.type !== 'server' && connection.route === 'direct'
  const isCloud = connection.type !== 'demo' && connection.type !== 'server'
  if (problem === 'origin' && isCloud && !isDirect) return 'key'
  return problem
}

export function diagnosisOf(
  problem: Problem,
  { connection, detail = '' }: { connection: Connection; detail?: string },
): Diagnosis {
  const said = detail.trim().slice(0, 500)
  return { problem, ...adviceFor(problem, connection), ...(said !== '' && { detail: said }) }
}

import { type Advice, cloudAdvice } from './cloudAdvice.ts'
import type { Connection } from './connections.ts'
import { type Problem, problemOf } from './problem.ts'
import { serverAdvice } from './serverAdvice.ts'
import { symptomOf } from './symptom.ts'

/** The fault of the connection to a model, and the next thing to do. */
export interface Diagnosis {
  readonly problem: Problem
  readonly title: string
  readonly explanation: string
  readonly steps: readonly string[]
  /** The message of the server or the browser itself. */
  readonly detail?: string
}

/** Reads any error of a model call: a thrown one, or the failure of a run. */
export function diagnose(error: unknown, connection: Connection): Diagnosis {
  const symptom = symptomOf(error)
  // If a local server denies access, it denies it to pages; a cloud denies it to a key.
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

function adviceFor(problem: Problem, connection: Connection): Advice {
  if (connection.type === 'demo') return demoAdvice
  if (connection.type === 'builtIn') return problem === 'size' ? tooLong : builtInAdvice
  return connection.type === 'server' ? serverAdvice(problem, connection) : cloudAdvice(problem, connection)
}

const demoAdvice: Advice = {
  title: 'The demo planner gave up',
  explanation:
    'It follows rules and needs no network, so there is nothing to reach. This conversation is beyond its rules.',
  steps: [
    'Ask for one thing at a time, in a short sentence.',
    'Or choose a language model instead of the demo planner.',
  ],
}

const builtInAdvice: Advice = {
  title: 'The built-in model cannot answer',
  explanation: 'It is part of the browser, which says why below.',
  steps: [
    'Open “Change the model”: it says whether this browser has a model, and downloads it.',
    'Or choose another model there.',
  ],
}

const tooLong: Advice = {
  title: 'The conversation is too long for the built-in model',
  explanation: 'Models on a device take fewer tokens at once than others.',
  steps: ['Change the model: this run continues with it.', 'Or start a new conversation.'],
}

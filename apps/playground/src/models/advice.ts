import type { Advice } from './adviceText.ts'
import { cloudAdvice } from './cloudAdvice.ts'
import type { Connection } from './connections.ts'
import type { Problem } from './problem.ts'
import { serverAdvice } from './serverAdvice.ts'

/** The advice for a problem of a connection. */
export function adviceFor(problem: Problem, connection: Connection): Advice {
  if (connection.type === 'demo') return demoAdvice
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

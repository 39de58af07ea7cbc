import type { GoldenCase } from '../GoldenCase.ts'
import { answers } from './answers.ts'
import { context } from './context.ts'
import { graphs } from './graphs.ts'
import { guarding } from './guarding.ts'
import { manyAgents } from './manyAgents.ts'
import { people } from './people.ts'
import { stopping } from './stopping.ts'

export const cases: readonly GoldenCase[] = [
  ...stopping,
  ...answers,
  ...people,
  ...guarding,
  ...graphs,
  ...context,
  ...manyAgents,
]

import type { GoldenCase } from '../GoldenCase.ts'
import { people } from './people.ts'
import { stopping } from './stopping.ts'

export const cases: readonly GoldenCase[] = [...stopping, ...people]

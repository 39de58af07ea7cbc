import { coldStart } from './cases/coldStart.ts'
import { concurrent } from './cases/concurrent.ts'
import { delta } from './cases/delta.ts'
import { firstDelta } from './cases/firstDelta.ts'
import { growth } from './cases/growth.ts'
import { heap } from './cases/heap.ts'
import { iteration } from './cases/iteration.ts'
import { keeping } from './cases/keeping.ts'
import { parallelTools } from './cases/parallelTools.ts'
import { serving } from './cases/serving.ts'
import type { NodeCase } from './nodeCase.ts'

export const nodeCases: readonly NodeCase[] = [
  iteration,
  delta,
  firstDelta,
  concurrent,
  heap,
  parallelTools,
  growth,
  keeping,
  serving,
  coldStart,
]

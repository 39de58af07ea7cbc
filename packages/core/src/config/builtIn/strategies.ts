import { z } from 'zod'
import { type DropObservationsOptions, dropObservations } from '../../steps/compact/dropObservations.ts'
import { dropTurns } from '../../steps/compact/dropTurns.ts'
import { inTurn } from '../../steps/compact/inTurn.ts'
import { keepImportant } from '../../steps/compact/keepImportant.ts'
import type { CompactionStrategy } from '../../steps/compact/strategy.ts'
import { summarise } from '../../steps/compact/summarise.ts'
import { summariseHierarchically } from '../../steps/compact/summariseHierarchically.ts'
import type { SummaryOptions } from '../../steps/compact/summary.ts'
import { declared, type Factory } from '../declared.ts'
import { noOptions } from '../noOptions.ts'
import { optionsOf } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'

const summary = ({ model }: Refs): z.ZodType<SummaryOptions> =>
  optionsOf<SummaryOptions>({
    models: z.array(model).min(1).optional(),
    contextWindow: z.number().positive().optional(),
    length: z.number().positive().optional(),
    focus: z.string().optional(),
  })

const observations = optionsOf<DropObservationsOptions>({
  except: z.array(z.string()).optional(),
  upTo: z.number().min(0).optional(),
})

/** Ways to make a history shorter. */
export const strategies: Readonly<Record<string, Factory<CompactionStrategy>>> = {
  dropObservations: declared(observations, dropObservations),
  dropTurns: declared(noOptions, dropTurns),
  keepImportant: declared(noOptions, keepImportant),
  summarise: declared(summary, summarise),
  summariseHierarchically: declared(summary, summariseHierarchically),
  inTurn: declared(
    ({ strategy }) => z.array(strategy).min(1),
    (tried) => inTurn(...tried),
  ),
}

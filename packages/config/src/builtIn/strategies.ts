import type { CompactionStrategy, SummaryOptions } from '@interleave/core/steps'
import {
  type DropObservationsOptions,
  dropObservations,
  dropTurns,
  inTurn,
  keepImportant,
  summarise,
  summariseHierarchically,
} from '@interleave/core/steps'
import { z } from 'zod'
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

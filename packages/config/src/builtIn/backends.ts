import type { Step } from '@interleave/core'
import { reasonAct } from '@interleave/core'
import type { ExternalAgent } from '@interleave/core/agents'
import { type DelegateOptions, delegate, type Routed, type RouteOptions, route } from '@interleave/core/agents'
import type { ReasonActOptions } from '@interleave/core/internal'
import { inOrder } from '@interleave/core/steps'
import { z } from 'zod'
import { declared, type Factory } from '../declared.ts'
import { either } from '../either.ts'
import { optionsOf } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'
import { limits } from './limits.ts'
import { actOptions, thinkOptions } from './thinking.ts'

const reasonActOptions = ({ step }: Refs): z.ZodType<ReasonActOptions> =>
  optionsOf<ReasonActOptions>({
    stop: step.optional(),
    limits: either(limits, step).optional(),
    think: thinkOptions.optional(),
    act: actOptions.optional(),
    before: z.array(step).optional(),
    between: z.array(step).optional(),
    after: z.array(step).optional(),
    otherwise: step.optional(),
  })

/** The name of an agent, or that with a line on when it is to have the run. */
const routed = ({ agent }: Refs): z.ZodType<Routed> =>
  z.union([agent, z.strictObject({ agent, when: z.string() })]) as z.ZodType as z.ZodType<Routed>

const routeOptions = (refs: Refs): z.ZodType<RouteOptions> =>
  optionsOf<RouteOptions>({
    agents: z.record(z.string(), routed(refs)),
    handOvers: z.int().min(1).optional(),
    handBack: z.boolean().optional(),
    sticky: z.boolean().optional(),
    by: z.enum(['tool', 'json']).optional(),
  })

type Delegating = DelegateOptions & { external: ExternalAgent }

const delegateOptions = ({ external }: Refs): z.ZodType<Delegating> =>
  optionsOf<Delegating>({
    external,
    limits: limits.optional(),
    idleMs: z.number().positive().optional(),
    maxCharacters: z.number().positive().optional(),
    retries: z.int().min(0).optional(),
  })

/** Whole ways to run. */
export const backends: Readonly<Record<string, Factory<Step>>> = {
  reasonAct: declared(reasonActOptions, reasonAct),
  route: declared(routeOptions, route),
  delegate: declared(delegateOptions, ({ external, ...options }) => delegate(external, options)),
  inOrder: declared(
    ({ step }) => z.array(step).min(1),
    (steps) => inOrder(...steps),
  ),
}

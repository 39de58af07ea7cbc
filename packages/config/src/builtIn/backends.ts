import { type Agent, type Json, reasonAct, type Step } from '@interleave/core'
import {
  type DelegateOptions,
  delegate,
  type ExternalAgent,
  type Routed,
  type RouteOptions,
  route,
} from '@interleave/core/agents'
import {
  type EdgesTo,
  END,
  type GraphNode,
  type GraphOptions,
  graph,
  type InOwnRunOptions,
  inOwnRun,
  type ParallelOptions,
  parallel,
  type Router,
  router,
  type UntilAnswerOptions,
  untilAnswer,
  value,
  wait,
} from '@interleave/core/graph'
import type { ReasonActOptions } from '@interleave/core/internal'
import { inOrder } from '@interleave/core/steps'
import { z } from 'zod'
import { declared, either, type Factories, optionsOf, type Refs, textOr } from '../schemas.ts'
import { actOptions, limits, thinkOptions } from './limits.ts'

/** The schema of an agent's name, or of a name with a line on when to give the agent the run. */
const routed = ({ agent }: Refs): z.ZodType<Routed> =>
  z.union([agent, z.strictObject({ agent, when: z.string() })]) as z.ZodType as z.ZodType<Routed>
type Delegating = DelegateOptions & { external: ExternalAgent }

export const backends: Factories<Step> = {
  reasonAct: declared(
    ({ step }) =>
      optionsOf<ReasonActOptions>({
        stop: step.optional(),
        limits: either(limits, step).optional(),
        think: thinkOptions.optional(),
        act: actOptions.optional(),
        before: z.array(step).optional(),
        between: z.array(step).optional(),
        after: z.array(step).optional(),
        otherwise: step.optional(),
      }),
    reasonAct,
  ),
  route: declared(
    (refs) =>
      optionsOf<RouteOptions>({
        agents: z.record(z.string(), routed(refs)),
        handOvers: z.int().min(1).optional(),
        handBack: z.boolean().optional(),
        sticky: z.boolean().optional(),
        by: z.enum(['tool', 'json']).optional(),
      }),
    route,
  ),
  delegate: declared(
    ({ external }) =>
      optionsOf<Delegating>({
        external,
        limits: limits.optional(),
        idleMs: z.number().positive().optional(),
        maxCharacters: z.number().positive().optional(),
        retries: z.int().min(0).optional(),
      }),
    ({ external, ...options }) => delegate(external, options),
  ),
  inOrder: declared(
    ({ step }) => z.array(step).min(1),
    (steps) => inOrder(...steps),
  ),
}

/** The schema of a step, or of `{ agent: name }`. */
const graphNode = ({ step, agent }: Refs): z.ZodType<GraphNode> =>
  either(
    z.strictObject({ agent }).transform((given) => given.agent),
    step,
  )

/** The schema of a target. `END` is written as in code. */
const target = z.string().transform((name) => (name === 'END' ? END : name))

/** Refuses lists of targets, also in editors, and says what runs steps side by side. */
const noTargets = z
  .array(z.unknown())
  .max(
    0,
    'An edge leads to one node. Name a node of `parallel`, which runs steps side by side.',
  ) as z.ZodType as z.ZodType<never>

type Choose = Router<string>['choose']

const edgesTo = ({ fn }: Refs): z.ZodType<EdgesTo<string>> =>
  z.union([
    target,
    noTargets,
    z
      .strictObject({ router: z.strictObject({ targets: z.array(target).min(1), choose: fn<Choose>() }) })
      .transform((given) => router(given.router.targets, given.router.choose as Choose)),
  ])
type Keep = NonNullable<UntilAnswerOptions<unknown>['keep']>
type Say = Exclude<UntilAnswerOptions<unknown>['say'], string | undefined>
type Visited = UntilAnswerOptions<unknown> & { node: GraphNode }

const keep = z
  .strictObject({ value: z.strictObject({ key: z.string().min(1), initial: z.json() }) })
  .transform((given): Keep => value<Json>(given.value.key, given.value.initial))
type Input = Exclude<InOwnRunOptions<unknown>['input'], string>
type OwnRun = InOwnRunOptions<unknown> & { agent: Agent }
type Branching = ParallelOptions & { branches: Readonly<Record<string, GraphNode>> }

/** Graphs of steps, and steps for their nodes. */
export const graphs: Factories<Step> = {
  graph: declared(
    (refs) =>
      optionsOf<GraphOptions<string>>({
        name: z.string().min(1),
        nodes: z.record(
          z.string().refine((name) => name !== 'END', '`END` is the end of a graph. Give the node another name.'),
          graphNode(refs),
        ),
        start: z.string(),
        edges: z.record(z.string(), edgesTo(refs)),
        visits: z.int().min(1).optional(),
      }),
    graph,
  ),
  parallel: declared(
    (refs) =>
      optionsOf<Branching>({
        branches: z.record(z.string(), graphNode(refs)),
        concurrency: z.int().min(1).optional(),
      }),
    ({ branches, ...options }) => parallel(branches, options),
  ),
  untilAnswer: declared(
    (refs) => optionsOf<Visited>({ node: graphNode(refs), say: textOr<Say>(refs).optional(), keep: keep.optional() }),
    ({ node, ...options }) => untilAnswer(node, options),
  ),
  inOwnRun: declared(
    (refs) => optionsOf<OwnRun>({ agent: refs.agent, input: textOr<Input>(refs), keep: keep.optional() }),
    ({ agent, ...options }) => inOwnRun(agent, options),
  ),
  wait: declared(optionsOf<{ ms: number }>({ ms: z.number().min(0) }), ({ ms }) => wait(ms)),
}

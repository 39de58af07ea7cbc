import type { Asking } from '../ask.ts'
import { derive } from '../derive.ts'
import type { Json } from '../json.ts'
import { combine, createPlanner, type TurnPlan } from '../plan.ts'
import type { RunContext, Step } from '../run.ts'
import type { Path } from './path.ts'
import type { Place } from './place.ts'

/** One visit of a node, as its step sees it. */
export interface Visit extends Pick<Place, 'node' | 'seq' | 'iteration'> {
  /** The key of the walk that it belongs to. */
  readonly key: string
  /** Its number in that walk, the same for no other visit of the run. */
  readonly number: number
  /** The values that were set since the step was called: what is older was set before a crash or a rest. */
  readonly written: Set<string>
  /** Forgets the plan of the next turn, as the end of a pass does. */
  forget(): void
}

const visiting = Symbol('visit')

/** The visit that a step is called for. Undefined outside of graphs. */
export const visitOf = (run: object): Visit | undefined => (run as { [visiting]?: Visit })[visiting]

interface Visiting {
  readonly path: Path
  readonly place: Place
  readonly step: Step
}

/**
 * Returns the run as a node's step sees it. Its questions and its `once` belong to the visit: the next visit of the
 * node asks again, a resumed visit does not. Its plan for a turn does not apply to the next visit.
 */
export function inVisit(run: RunContext, { path, place, step }: Visiting): RunContext {
  const { node, seq, iteration, visit } = place
  const prefix = `${path.label}/${visit}`
  const { of, change, forget } = createPlanner()
  const turn = (): number => run.state.iteration + 1
  return derive(run, {
    ask: (key: string, question: Asking<unknown>) => run.ask(`${prefix}/${key}`, question),
    once: (key: string, fn: () => Json | PromiseLike<Json>) => run.once(`${prefix}/${key}`, fn),
    get plan(): TurnPlan {
      return combine(run.plan, of(turn()))
    },
    replan: (plan: TurnPlan) => change(turn(), plan),
    [visiting]: { node, seq, iteration, number: visit, key: path.key, written: new Set(), forget } satisfies Visit,
    // The model is told what it has to know for this node, and not for the others.
    ...(step.instructions !== undefined && { agent: Object.freeze({ ...run.agent, backend: step }) }),
  })
}

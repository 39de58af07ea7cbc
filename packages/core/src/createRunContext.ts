import { toJson } from './json.ts'
import type { Lease } from './lease.ts'
import { liveProperties } from './liveProperties.ts'
import type { Log } from './log.ts'
import { promptBuilder } from './message.ts'
import type { People } from './people.ts'
import { combine, createPlanner, type Planner } from './plan.ts'
import { plannedByTools } from './plannedByTools.ts'
import type { Agent, RunContext } from './run.ts'

/** The inputs of a run context. */
export interface RunContextParts {
  readonly agent: Agent
  readonly log: Log
  readonly people: People
  readonly lease: Lease
  readonly journal: RunContext['journal']
  readonly children: RunContext['children']
  readonly host: RunContext['host']
  readonly abortSignal: AbortSignal
}

export interface Given {
  readonly context: RunContext
  /** Clears the plan of the turn: each pass makes its own. */
  forget(): void
}

export function createRunContext({ agent, log, people, lease: { guard }, ...place }: RunContextParts): Given {
  const { emit, live, durable, failureOf, onRecovered } = log
  const { own } = people
  const ask: RunContext['ask'] = (key, question) => own.ask(key, question)
  const once: RunContext['once'] = (key, fn) => own.once(key, fn)
  const activity: RunContext['activity'] = (call) => own.activity(call)
  const prompt = promptBuilder()
  const planner = createPlanner()
  const replan: RunContext['replan'] = (change) => planner.change(log.state.iteration + 1, change)
  /** A step may change its value later. */
  const emitCopy: RunContext['emit'] = (event) =>
    emit(event.type === 'noted' ? { ...event, value: toJson(event.value) } : event)
  const isFailure = (error: unknown): boolean => failureOf(error) > 0
  const writing = { emit: guard(emitCopy), live: guard(live), ask: guard(ask), once: guard(once) }
  const plain = {
    ...place,
    ...writing,
    agent,
    prompt,
    durable,
    isFailure,
    onRecovered,
    activity: guard(activity),
    replan,
  }
  return { context: withState(plain, { log, planner }), forget: planner.forget }
}

const withState = liveProperties<{ log: Log; planner: Planner }, Pick<RunContext, 'state' | 'durableSeq' | 'plan'>>({
  state: ({ log }) => log.state,
  durableSeq: ({ log }) => log.durableSeq,
  plan({ log, planner }, self) {
    const plan = planner.of(log.state.iteration + 1)
    // A router or a graph lets another agent work on the run.
    const before = plannedByTools((self as RunContext).agent, log.state)
    return before ? combine(before, plan) : plan
  },
})

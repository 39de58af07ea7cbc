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

export function createRunContext({ log, people, lease, ...place }: RunContextParts): Given {
  const { durable, failureOf, onRecovered } = log
  const planner = createPlanner()
  const plain: Omit<RunContext, 'state' | 'durableSeq' | 'plan'> = {
    ...place,
    prompt: promptBuilder(),
    durable,
    onRecovered,
    replan: (change) => planner.change(log.state.iteration + 1, change),
    emit(event) {
      lease.check()
      // A step may change its value later.
      log.emit(event.type === 'noted' ? { ...event, value: toJson(event.value) } : event)
    },
    live(event) {
      lease.check()
      log.live(event)
    },
    ask(key, question) {
      lease.check()
      return people.own.ask(key, question)
    },
    once(key, fn) {
      lease.check()
      return people.own.once(key, fn)
    },
    activity(call) {
      lease.check()
      return people.own.activity(call)
    },
    isFailure: (error) => failureOf(error) > 0,
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

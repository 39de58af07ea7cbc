import { derive } from '../derive.ts'
import { AgentError } from '../error.ts'
import type { EventBody, LiveEvent } from '../event.ts'
import type { Activity, RunContext } from '../run.ts'

interface BranchOptions {
  readonly activity: Activity
  readonly name: string
  readonly silent: boolean
}

/** A run as a branch of a fork sees it: what it asks, it waits for on its own. */
export function inBranch(run: RunContext, { activity, name, silent }: BranchOptions): RunContext {
  const own = derive<Pick<RunContext, 'ask' | 'once' | 'activity'>>(run, {
    ask: (key, question) => activity.ask(key, question),
    once: (key, fn) => activity.once(key, fn),
    activity: (call) => activity.activity(call),
  })
  return silent ? silenced(own, name) : own
}

const talk: ReadonlySet<(EventBody | LiveEvent)['type']> = new Set([
  'thinking',
  'said',
  'thought',
  'called',
  'observed',
  'amended',
  'compacted',
])

/** A run that must not talk to the model, since another branch may, and turns of two branches would mix. */
function silenced(run: RunContext, branch: string): RunContext {
  const check = ({ type }: { type: (EventBody | LiveEvent)['type'] }): void => {
    if (talk.has(type)) throw talksInBranch(branch)
  }
  return derive(run, {
    emit(event: EventBody): void {
      check(event)
      run.emit(event)
    },
    live(event: LiveEvent): void {
      check(event)
      run.live(event)
    },
  })
}

const talksInBranch = (branch: string): AgentError =>
  new AgentError(
    'graph_invalid',
    `The ${branch} talks to the model, and nothing says that it does. Only one branch of a fork may: wrap its node in untilAnswer().`,
  )

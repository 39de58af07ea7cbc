import { checkArgument, checkRunState, DEV } from '#checks'
import { reduce } from '../changes/all.ts'
import { AgentError } from '../error.ts'
import type { Event } from '../event.ts'
import { dryHosts, type Host, localHost, type ModelRequest } from '../host.ts'
import { runOf } from '../journal/journalEngine.ts'
import { checkRunFile, type RunFile } from '../journal/runFile.ts'
import type { SavedRun } from '../journal.ts'
import type { OpenRun } from '../log/openRun.ts'
import { assertOption } from '../options.ts'
import type { Agent, Run } from '../run.ts'
import { initialState, isSideCall, type RunState } from '../state.ts'

export interface PastRunOptions {
  /** The `seq` of the last event that has happened; by default that of the last one. */
  readonly at?: number
}

/**
 * Returns a read-only run at an earlier event, for anything that shows a run. `say`, `reply` and `stop` reject,
 * `resume` throws, and listeners receive nothing. `settled` stays pending if the run had not settled then.
 *
 * The events are those of a run in memory. A file is validated first: throws `log_invalid`. Two positions of one log
 * share the objects that did not change in between.
 *
 * @example
 * <Conversation run={pastRun(events, { at: 7 })} />
 */
export function pastRun(of: readonly Event[] | RunFile, { at }: PastRunOptions = {}): Run {
  checkArgument(of, 'log of pastRun()', 'a list of events or an object of exportRun')
  const all = 'format' in of ? checkRunFile(of).events : of
  const last = at ?? all.length - 1
  assertOption(all[last], DEV && `pastRun({ at: ${last} }): the log has events from 0 to ${all.length - 1}.`)
  const states = statesOf(all, last + 1)
  const { state } = states[last] as PastState
  return runAt(state, () => states.slice(0, last + 1).map(({ event }) => event), { isOfFile: 'format' in of })
}

interface PastState {
  readonly event: Event
  /** The state after the event. */
  readonly state: RunState
}
interface Known {
  readonly events: readonly Event[]
  /** Extended, but never changed: runs at earlier positions read it. */
  readonly states: PastState[]
}

/** The known states of a log, by its first event, so that a walk through the log folds it once. */
const known = new WeakMap<Event, Known>()

/** Returns the states after at least this many events. */
function statesOf(events: readonly Event[], length: number): readonly PastState[] {
  const first = events[0] as Event
  const before = known.get(first)
  const states = before ? unchanged(before, events, length) : []
  known.set(first, { events, states })
  let state = states.at(-1)?.state ?? initialState
  for (const event of events.slice(states.length, Math.max(length, states.length))) {
    state = reduce(state, event)
    states.push({ event, state })
  }
  return states
}

/** Returns the known states up to the first event that differs. A list that was compared before may only have a new end. */
function unchanged({ events: compared, states }: Known, events: readonly Event[], length: number): PastState[] {
  const last = Math.min(states.length, length) - 1
  if (compared === events && states[last]?.event === events[last]) return states
  const changed = states.findIndex(({ event }, at) => event !== events[at])
  return changed < 0 ? states : states.slice(0, changed)
}

/** Returns a read-only run that shows a state, for `messagesOf`, hooks and components. It takes no messages. */
export function staticRun(state: RunState): Run {
  checkRunState(state, 'staticRun()')
  return runAt(state, () => [])
}

/** Returns a run at one position. Its log is made when it is read: a walk through the positions of a long one reads few. */
function runAt(state: RunState, logOf: () => readonly Event[], of: Pick<OpenRun, 'isOfFile'> = {}): OpenRun {
  let log: readonly Event[] | undefined
  return {
    id: state.runId,
    state,
    get log() {
      log ??= logOf()
      return log
    },
    settled: state.signal ? Promise.resolve(state.signal) : new Promise(() => {}),
    isStill: true,
    ...of,
    subscribe: () => () => {},
    say: refuse,
    reply: refuse,
    revoke: refuse,
    stop: refuse,
    resume() {
      throw isPast()
    },
  }
}

const refuse = (): Promise<never> => Promise.reject(isPast())

const isPast = (): AgentError =>
  new AgentError(
    'options_invalid',
    DEV && 'This run is shown as it was and cannot change. Continue from here with fork(agent, run).',
  )

/** Milliseconds after which the search ends if the agent does not make the request. */
const giveUpAfterMs = 2_000

/**
 * Returns the model request behind the event with this `seq`: a turn, or a note such as a summary. It is recomputed:
 * steps read the state, so they compute the same request from the earlier one. No model and no tool is called.
 *
 * Returns undefined if the event has no model call, or if the agent does not make it within two seconds, because its
 * code has changed. Rejects if it cannot resume the run. Side effects of your own steps, outside of models, tools and
 * `once`, happen again.
 *
 * @example
 * const request = await requestAt(planner, events, 12)
 * console.log(request?.prompt, request?.tools)
 */
export async function requestAt(
  agent: Pick<Agent, 'resume'>,
  events: readonly Event[],
  seq: number,
): Promise<ModelRequest | undefined> {
  checkArgument(events, 'events of requestAt()', 'a list')
  const event = events.find((one) => one.seq === seq)
  if (event?.type === 'noted' && isSideCall(event.key)) return requestFrom(agent, before(seq, events), event.key)
  if (event?.type !== 'thought') return undefined
  // A later message was not in the prompt. A void turn does not record when it was requested.
  const past = before(event.readUntil || seq, events)
  return requestFrom(agent, past, `${event.iteration}/model`)
}

const before = (seq: number, events: readonly Event[]): SavedRun => runOf(events.filter((event) => event.seq < seq))

/** Returns the request of the effect with this key, which the agent makes after this past. */
function requestFrom(agent: Pick<Agent, 'resume'>, past: SavedRun, key: string): Promise<ModelRequest | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = localHost.timer(giveUpAfterMs, () => resolve(undefined))
    const end = (request?: ModelRequest): void => {
      cancel()
      resolve(request)
    }
    const host: Host = {
      now: () => past.state.updatedAt,
      newId: () => 'none',
      timer: () => () => {},
      perform(effect) {
        // A retried turn has a longer key.
        if (effect.kind === 'model' && `${effect.key}/`.startsWith(`${key}/`)) end(effect.request)
        // Nothing runs: the run waits forever, and is garbage collected.
        return new Promise(() => {})
      },
    }
    dryHosts.add(host)
    agent.resume(past, { host }).then(({ settled }) => settled.then(() => end()), reject)
  })
}

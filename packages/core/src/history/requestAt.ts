import type { Event } from '../event.ts'
import { dryHosts, type Host, localHost, type ModelRequest } from '../host.ts'
import { savedRun } from '../log/journalEngine.ts'
import { checkType } from '../options.ts'
import { fold } from '../reduce.ts'
import type { Agent } from '../run.ts'
import { isSideCall, type RunState } from '../state.ts'

/** Milliseconds after which the search ends if the agent does not make the request. */
const giveUpAfterMs = 2_000

/**
 * Returns the model request behind the event with this `seq`: a turn, or a note such as a summary. It is recomputed:
 * steps look at the state, so from the earlier state they compute the same request. No model and no tool is called.
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
  checkType(events ?? null, 'events of requestAt()', 'a list')
  const event = events.find((one) => one.seq === seq)
  const place = event && placeOf(event, events)
  return place && requestFrom(agent, place)
}

interface Place {
  /** The state when the model was called. */
  readonly state: RunState
  /** The key of the effect. */
  readonly key: string
}

function placeOf(event: Event, events: readonly Event[]): Place | undefined {
  if (event.type === 'noted' && isSideCall(event.key)) return { state: before(event.seq, events), key: event.key }
  if (event.type !== 'thought') return undefined
  // A message that came while the model was writing was not in its prompt. A void turn does not say when it was requested.
  const state = before(event.heard || event.seq, events)
  return { state, key: `${state.iteration + 1}/model` }
}

const before = (seq: number, events: readonly Event[]): RunState => fold(events.filter((event) => event.seq < seq))

function requestFrom(agent: Pick<Agent, 'resume'>, { state, key }: Place): Promise<ModelRequest | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = localHost.timer(giveUpAfterMs, () => resolve(undefined))
    const end = (request?: ModelRequest): void => {
      cancel()
      resolve(request)
    }
    const host: Host = {
      now: () => state.updatedAt,
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
    agent.resume(savedRun(state), { host }).then(({ settled }) => settled.then(() => end()), reject)
  })
}

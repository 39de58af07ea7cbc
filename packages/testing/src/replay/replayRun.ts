import type { Agent, Event } from '@interleave/core'
import { assertOption, checkOptions, isAgent } from '@interleave/core/internal'
import type { RunDifference } from './describeEvent.ts'
import { Player } from './player.ts'
import { recordedAgent } from './recordedAgent.ts'
import { Recording } from './recording.ts'

export interface ReplayRunOptions {
  /** The current agent. Without it, an agent is made from the log: that tests the engine, and not your code. */
  readonly agent?: Agent
  /** `recorded` by default. `agent`: the agent's own model is called, which may cost money. */
  readonly model?: 'recorded' | 'agent'
  /** `recorded` by default: no tool runs. `agent`: the agent's own tools run, and may do something. */
  readonly tools?: 'recorded' | 'agent'
  /** Milliseconds without an event after which the replay counts as different; 2,000 by default. */
  readonly idleMs?: number
  readonly signal?: AbortSignal
  /** Returns milliseconds, for `ms` of the result. */
  readonly now?: () => number
}

export interface ReplayedRun {
  readonly isSame: boolean
  /** The first difference, if there is one. */
  readonly difference?: RunDifference
  /** The number of recorded events that were compared. */
  readonly compared: number
  /** The events of the replay, up to the difference. */
  readonly events: readonly Event[]
  readonly ms: number
}

/**
 * Runs a recorded run again: the model, the tools and the users do what they did in the file of `exportRun()`. Returns
 * whether the agent still does the same, and the first difference in plain words. Calls no real model and no real tool.
 */
export async function replayRun(file: unknown, options: ReplayRunOptions = {}): Promise<ReplayedRun> {
  checkOptions('replayRun()', options, ['agent', 'model', 'tools', 'idleMs', 'signal', 'now'])
  const {
    agent,
    model = 'recorded',
    tools = 'recorded',
    idleMs = 2_000,
    signal,
    now = () => performance.now(),
  } = options
  assertOption(agent === undefined || isAgent(agent), '`agent` must be made by agent().')
  const isLive = model === 'agent' || tools === 'agent'
  assertOption(agent || !isLive, 'To use its own model or tools, give the `agent`.')
  const recording = new Recording(file)
  const player = new Player({
    recording,
    live: { model: model === 'agent', tools: tools === 'agent' },
    idleMs: isLive ? Math.max(idleMs, 120_000) : idleMs,
    signal,
  })
  const startedAt = now()
  const difference = await player.play(agent ?? recordedAgent(player.stage))
  return {
    isSame: difference === undefined,
    ...(difference && { difference }),
    compared: difference ? player.events.length : recording.events.length,
    events: player.events,
    ms: now() - startedAt,
  }
}

/**
 * Throws, in plain words, unless an agent still does what it did in a recorded run. It needs no test framework.
 *
 * @example
 * it('books a train', () => testRun(file, { agent: planner }))
 */
export async function testRun(file: unknown, options: ReplayRunOptions = {}): Promise<ReplayedRun> {
  const replayed = await replayRun(file, options)
  if (!replayed.difference) return replayed
  const { message, recorded, replayed: is } = replayed.difference
  const lines = [recorded && `  recorded: ${recorded}`, is && `  replayed: ${is}`].filter(Boolean)
  throw new Error([message, ...lines].join('\n'))
}

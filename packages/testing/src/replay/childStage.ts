import type { Agent, Run } from '@interleave/core'
import { derivedAgent, withBackend } from '@interleave/core/internal'
import { withoutSources } from './recordedSources.ts'
import { withRecordedTools } from './recordedTools.ts'
import { isReplayed, type Recording } from './recording.ts'
import type { Stage } from './stage.ts'

/**
 * Plays the log of a child run that a step started. Its events come in their order, and after those of its parent that
 * have an earlier time: both logs share a clock.
 */
export class ChildStage implements Stage {
  readonly recording: Recording
  readonly readsSources: boolean
  readonly runsTools: boolean
  readonly #parent: Stage
  readonly #waiters = new Set<{ readonly length: number; readonly resolve: () => void }>()
  #run: Run | undefined
  /** The events of the run that were counted, and how many of them are compared. */
  #seen = 0
  #count = 0

  constructor(parent: Stage, recording: Recording) {
    this.#parent = parent
    this.recording = recording
    this.readsSources = parent.readsSources
    this.runsTools = parent.runsTools
  }

  readonly length = (): number => this.#count

  readonly until = async (length: number): Promise<void> => {
    await this.#parent.until(this.#placeOf(length))
    // An agent that works on its own is not followed.
    if (!this.#run || this.#count >= length) return
    await new Promise<void>((resolve) => this.#waiters.add({ length, resolve }))
  }

  /**
   * Resolves when the run has paused, if it had when it got the reply to this question: its parent may not have, while other
   * branches worked. Undefined if it is there.
   */
  untilPaused(ask: string): Promise<void> | undefined {
    const at = this.recording.index.first(`replied ${ask.slice(ask.lastIndexOf('>') + 1)}`, this.#count)
    const isAhead = at === this.#count + 1 && this.recording.events[this.#count]?.type === 'settled'
    return isAhead ? this.until(at) : undefined
  }

  enter(): void {}

  childAgent<Output>(agent: Agent<Output>, runId: string): Agent<Output> {
    return this.#parent.childAgent(agent, runId)
  }

  /** Returns the agent, followed by this stage whenever a run of it begins. */
  followed<Output>(agent: Agent<Output>): Agent<Output> {
    const given = <Options extends { readonly observers?: readonly unknown[] }>(options: Options): Options => ({
      ...options,
      observers: [...(options.observers ?? []), () => this.#read()],
    })
    return derivedAgent(agent, {
      start: (input: Parameters<Agent['start']>[0], options = {}) => this.#follow(agent.start(input, given(options))),
      resume: async (id: string, options = {}) => this.#follow(await agent.resume(id, given(options))),
    }) as Agent<Output>
  }

  #follow<Output>(run: Run<Output>): Run<Output> {
    this.#run = run as Run
    this.#seen = 0
    this.#count = 0
    this.#waiters.clear()
    this.#read()
    return run
  }

  #read(): void {
    const { log = [] } = this.#run ?? {}
    while (this.#seen < log.length) {
      const event = log[this.#seen++]
      if (event && isReplayed(event)) this.#count++
    }
    for (const waiter of this.#waiters) {
      if (waiter.length > this.#count) continue
      this.#waiters.delete(waiter)
      waiter.resolve()
    }
  }

  /** Returns the number of the parent's events that precede this event of the child. */
  #placeOf(index: number): number {
    const { recording, length } = this.#parent
    const event = this.recording.events[index]
    if (event?.type === 'asked') {
      const asked = recording.indexFrom(
        length(),
        (other) => other.type === 'asked' && this.#isRelayed(other.ask.id, event.ask.id),
      )
      if (asked >= 0) return asked
    }
    const at = event ? recording.index.since(event.at) : -1
    return at >= 0 ? at : recording.events.length
  }

  /** Returns true for the id that a question of the child has in its parent. */
  #isRelayed(id: string, own: string): boolean {
    const { key = '' } = this.recording.started.parent ?? {}
    return id.startsWith(key) && id.endsWith(`>${own}`)
  }
}

/** Returns the agent with recorded tools, in the order of the log. */
export function playing<Output>(agent: Agent<Output>, stage: Stage): Agent<Output> {
  const given = stage.runsTools ? agent : (withoutSources(agent as Agent, stage) as Agent<Output>)
  const played = withBackend(given, withRecordedTools(agent.backend, stage))
  return stage instanceof ChildStage ? stage.followed(played) : played
}

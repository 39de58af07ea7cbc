/** Milliseconds of work without a word after which it is said that the agent works, and those between reminders. */
const firstMs = 2_000
const reminderMs = 20_000
const mostReminders = 3

/** The words while nothing else is said. A tool has its name. */
export type Waiting = { readonly type: 'working' | 'still' } | { readonly type: 'tool'; readonly tool: string }

interface Due {
  readonly at: number
  readonly waiting: Waiting
}

export interface WorkingCall {
  readonly key: string
  readonly tool: string
}

/** Decides when to say that the agent still works, to a user who does not see it. Times are in milliseconds. */
export class Silence {
  #since: number | undefined
  #hasSaid = false
  #reminders = 0
  /** The calls that were seen at work, with the times of that. */
  readonly #calls = new Map<string, number>()
  /** The tools that were named since the work began. */
  readonly #named = new Set<string>()

  /** Called whenever something may have changed. */
  update(isWorking: boolean, calls: readonly WorkingCall[], now: number): void {
    if (!isWorking) {
      this.#since = undefined
      this.#hasSaid = false
      this.#reminders = 0
      this.#named.clear()
    } else this.#since ??= now
    for (const { key } of calls) if (!this.#calls.has(key)) this.#calls.set(key, now)
  }

  /** Called when something was said about the run. */
  spoke(now: number): void {
    this.#reminders = 0
    this.#quietSince(now)
  }

  #quietSince(now: number): void {
    if (this.#since === undefined) return
    this.#since = now
    // A sentence of the agent says that it works, too.
    this.#hasSaid = true
  }

  /** Returns what to say next if nothing else happens, and when. */
  next(calls: readonly WorkingCall[]): Due | undefined {
    const since = this.#since
    if (since === undefined) return undefined
    const call = calls.find(({ tool }) => !this.#named.has(tool))
    if (call)
      return {
        at: Math.max(since, this.#calls.get(call.key) ?? since) + firstMs,
        waiting: { type: 'tool', tool: call.tool },
      }
    if (!this.#hasSaid) return { at: since + firstMs, waiting: { type: 'working' } }
    return this.#reminders < mostReminders ? { at: since + reminderMs, waiting: { type: 'still' } } : undefined
  }

  /** Called when this was said. */
  said({ waiting }: Due, now: number): void {
    if (waiting.type === 'still') this.#reminders++
    if (waiting.type === 'tool') this.#named.add(waiting.tool)
    this.#quietSince(now)
  }
}

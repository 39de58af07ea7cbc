import { type Host, localHost } from '@interleave/core'
import { Registry } from './registry.ts'

export interface IdleRule<Item> {
  /** Returns the length of its log while it may be released; undefined while it works, or must stay. */
  settledLength(item: Item): number | undefined
  /** Returns true if the journal has all of it. */
  isDurable(item: Item): boolean | Promise<boolean>
  /** Frees the resources of an item, which is not in the registry any more. */
  releaseItem(item: Item): void
  /** Waits this long before an item is released, in case it is used again. */
  readonly ms?: number
  readonly host?: Pick<Host, 'timer'>
}

/** A registry of runs that execute here: they are counted while in use, and released when idle. */
export class IdleRegistry<Item> extends Registry<Item> {
  readonly #idle: IdleRule<Item>
  readonly #uses = new Map<string, number>()
  /** The waits of idle items: one per id, from when it became idle last. */
  readonly #waits = new Map<string, Wait>()

  constructor(idle: IdleRule<Item>) {
    super()
    this.#idle = idle
  }

  /** Marks the id as in use until the returned function is called, whether the item is open yet or not. */
  useItem(id: string): () => void {
    this.#endWait(id)
    this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = (this.#uses.get(id) ?? 1) - 1
      if (left > 0) this.#uses.set(id, left)
      else {
        this.#uses.delete(id)
        void this.releaseIfIdle(id)
      }
    }
  }

  isUsed(id: string): boolean {
    return this.#uses.has(id)
  }

  /** Releases the item if it is settled and durable, and not in use. Call it when one of these becomes true. */
  async releaseIfIdle(id: string): Promise<void> {
    const idle = this.#idle
    const item = this.findItem(id)
    const length = item && idle.settledLength(item)
    if (!item || length === undefined || this.#uses.has(id)) return
    // Without a wait, the check follows the last use at once.
    const wait = idle.ms === undefined ? undefined : this.#startWait(id, idle.ms)
    const isIdle = (): boolean =>
      !wait?.isOver && this.findItem(id) === item && !this.#uses.has(id) && idle.settledLength(item) === length
    if (wait) await wait.time
    if (!isIdle() || !(await idle.isDurable(item)) || !isIdle()) return
    this.removeItem(id, item)
    idle.releaseItem(item)
  }

  override removeItem(id: string, item: Item): boolean {
    const isRemoved = super.removeItem(id, item)
    if (isRemoved) this.#endWait(id)
    return isRemoved
  }

  protected override addOpened(id: string, item: Item): void {
    super.addOpened(id, item)
    // Its users may have left meanwhile.
    void this.releaseIfIdle(id)
  }

  /** Starts a wait, and ends the previous one of this id. */
  #startWait(id: string, ms: number): Wait {
    this.#endWait(id)
    const wait = new Wait(ms, this.#idle.host)
    this.#waits.set(id, wait)
    return wait
  }

  #endWait(id: string): void {
    this.#waits.get(id)?.end()
    this.#waits.delete(id)
  }
}

/** The time that an item is idle before it is released. */
class Wait {
  /** Resolves after the time, or when the wait is ended before. */
  readonly time: Promise<void>
  isOver = false
  #release = (): void => {}

  constructor(ms: number, host: Pick<Host, 'timer'> = localHost) {
    this.time = new Promise((resolve) => {
      const cancel = host.timer(ms, resolve, { background: true })
      this.#release = () => {
        cancel()
        resolve()
      }
    })
  }

  end(): void {
    this.isOver = true
    this.#release()
  }
}

import type { Host } from '@interleave/core'
import { Registry } from './registry.ts'

export interface IdleRule<Item> {
  /** The length of its log while it may be released; undefined while it works, or must stay. */
  restingLength(item: Item): number | undefined
  /** Returns true if the journal has all of it. */
  isDurable(item: Item): boolean | Promise<boolean>
  /** Frees what the item holds. It is not in the registry any more. */
  releaseItem(item: Item): void
  /** Waits this long before an item is released, in case it is used again. */
  readonly ms?: number
  readonly host?: Pick<Host, 'timer'>
}

/** A registry of runs that execute here: they are counted while in use, and released when idle. */
export class IdleRegistry<Item> extends Registry<Item> {
  readonly #idle: IdleRule<Item>
  readonly #uses = new Map<string, number>()

  constructor(idle: IdleRule<Item>) {
    super()
    this.#idle = idle
  }

  /** Marks the id as in use until the returned function is called, whether the item is open yet or not. */
  useItem(id: string): () => void {
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
    const length = item && idle.restingLength(item)
    if (!item || length === undefined) return
    const isIdle = (): boolean =>
      this.findItem(id) === item && !this.#uses.has(id) && idle.restingLength(item) === length
    if (!isIdle()) return
    const { ms, host } = idle
    if (ms !== undefined && host)
      await new Promise<void>((resolve) => void host.timer(ms, resolve, { background: true }))
    if (!isIdle() || !(await idle.isDurable(item)) || !isIdle()) return
    this.removeItem(id, item)
    idle.releaseItem(item)
  }

  protected override addOpened(id: string, item: Item): void {
    super.addOpened(id, item)
    // Its users may have left meanwhile.
    void this.releaseIfIdle(id)
  }
}

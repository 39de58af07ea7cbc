import { AgentError } from '@interleave/core'
import { Queues } from '@interleave/core/internal'

/** Items by id. One that was removed is added again only after it has left. */
export class OpenItems<Item> {
  readonly #items = new Map<string, Item>()
  readonly #leaving = new Queues()

  get items(): readonly Item[] {
    return [...this.#items.values()]
  }

  findItem(id: string): Item | undefined {
    return this.#items.get(id)
  }

  isLeaving(id: string): boolean {
    return this.#leaving.settled(id) !== undefined
  }

  addItem(id: string, item: Item): void {
    this.#items.set(id, item)
  }

  /** Removes the item, if it still is the one of this id. */
  removeItem(id: string, item: Item): boolean {
    return this.#items.get(id) === item && this.#items.delete(id)
  }

  /** Opens the item of this id again only after this promise. */
  waitForLeave(id: string, left: Promise<unknown>): void {
    this.#leaving.setLatest(id, left)
  }

  /** Resolves when the item of this id has left. */
  async untilLeft(id: string): Promise<void> {
    await this.#leaving.settled(id)
  }
}

/** The runs by id: each is opened once, and opened again only after it has left. */
export class Registry<Item> extends OpenItems<Item> {
  readonly #opening = new Map<string, Promise<Item>>()

  /** The ids of items that are open, or being opened. */
  get ids(): readonly string[] {
    return [...this.#opening.keys()]
  }

  /** Returns true if it is open, or being opened. */
  hasItem(id: string): boolean {
    return this.#opening.has(id)
  }

  /** Throws `journal_conflict` if there is an item of this id. */
  assertFree(id: string): void {
    if (this.hasItem(id)) throw idTaken(id)
  }

  /** Adds an item that is open. */
  override addItem(id: string, item: Item): void {
    this.assertFree(id)
    super.addItem(id, item)
    this.#opening.set(id, Promise.resolve(item))
  }

  /** Returns the item, or opens it after the one before it has left. Callers share one opening. */
  openItem(id: string, load: () => Item | Promise<Item>): Promise<Item> {
    const known = this.#opening.get(id)
    if (known) return known
    const opening = this.#load(id, load)
    this.#opening.set(id, opening)
    opening.then(
      (item) => {
        if (this.#opening.get(id) !== opening) return
        this.addOpened(id, item)
      },
      () => this.#opening.get(id) === opening && this.#opening.delete(id),
    )
    return opening
  }

  override removeItem(id: string, item: Item): boolean {
    return super.removeItem(id, item) && this.#opening.delete(id)
  }

  /** Runs `leave` when the item is open or could not be opened. It is opened again only after that. */
  leaveItem<T>(id: string, leave: (item: Item | undefined) => T | Promise<T>): Promise<T> {
    const left = Promise.allSettled([this.untilLeft(id), this.#opening.get(id)]).then(() => leave(this.findItem(id)))
    this.waitForLeave(id, left)
    return left
  }

  protected addOpened(id: string, item: Item): void {
    super.addItem(id, item)
  }

  async #load(id: string, load: () => Item | Promise<Item>): Promise<Item> {
    // No `await` without an item that leaves: the item is then loaded at once.
    if (this.isLeaving(id)) await this.untilLeft(id)
    return load()
  }
}

export const idTaken = (id: string): AgentError =>
  new AgentError('journal_conflict', `There is a run "${id}" already. Start with another id.`)

/** Creates the error for a run of this other agent. */
export const ofOtherAgent = (id: string, agent: string): AgentError =>
  new AgentError('agent_mismatch', `The run "${id}" belongs to the agent "${agent}". Resume it with that agent.`)

import { reportLater } from '../error.ts'
import type { AnyEvent } from '../event.ts'
import { assertOption } from '../options.ts'
import type { Listener } from '../run.ts'
import type { RunState } from '../state.ts'

/** The listeners of a run, or of what is shown of it. They receive its events in order. */
export class Listeners {
  #all: readonly Listener[] = []
  #isTelling = false
  /** Events that a listener caused, while others have not received the one before. */
  readonly #untold: [AnyEvent, RunState][] = []

  /** Adds a listener. Returns what ends it. */
  add(given: Listener): () => void {
    assertOption(typeof given === 'function', notListener)
    // The same function may listen twice, and end only one of the two.
    const listener: Listener = (event, state) => given(event, state)
    this.#all = [...this.#all, listener]
    return () => {
      this.#all = this.#all.filter((other) => other !== listener)
    }
  }

  /** Delivers an event. If a listener causes another one, it follows when all listeners have received the first. */
  tell(event: AnyEvent, state: RunState): void {
    if (this.#all.length === 0) return
    if (this.#isTelling) {
      this.#untold.push([event, state])
      return
    }
    this.#isTelling = true
    this.#deliver(event, state)
    for (let next = this.#untold.shift(); next; next = this.#untold.shift()) this.#deliver(...next)
    this.#isTelling = false
  }

  #deliver(event: AnyEvent, state: RunState): void {
    for (const listener of this.#all) {
      try {
        listener(event, state)
      } catch (error) {
        reportLater(error)
      }
    }
  }
}

const notListener =
  'A listener must be a function. For an object with hooks use observer({ onFinish }) of @interleave/core/observe.'

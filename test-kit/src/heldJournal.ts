import type { Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { memoryJournal } from '@interleave/core/journal'

export interface HeldJournal extends Journal {
  /** Keeps writes with such an event open from now on, and later writes too. */
  hold(type: Event['type']): void
  /** The types of the events of the write that is held. */
  readonly held: readonly string[]
  /** Lets go of it, and of all that come, or has it fail. */
  release(error?: Error): void
}

/** A journal whose writes are held open by hand. */
export function heldJournal(): HeldJournal {
  const journal = memoryJournal()
  let type: Event['type'] | undefined
  let held: readonly string[] = []
  let release: (error?: Error) => void = () => {}
  return {
    ...journal,
    get held() {
      return held
    },
    async append(id, events, options) {
      if (events.some((event) => event.type === type)) {
        held = events.map((event) => event.type)
        await new Promise<void>((resolve, reject) => {
          release = (error) => (error ? reject(error) : resolve())
        })
      }
      await journal.append(id, events, options)
    },
    hold(given) {
      type = given
    },
    release(error) {
      if (!error) type = undefined
      held = []
      release(error)
    },
  }
}

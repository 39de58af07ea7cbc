import type { Origin } from '@interleave/connect/tabs'
import type { Journal } from '@interleave/core/journal'
import { fakeChannels } from './fakeChannels.ts'
import { fakeLocks } from './fakeLocks.ts'

/** A tab as a test has it: alive, frozen, or gone at any moment. */
export interface FakeTab {
  readonly origin: Origin
  readonly journal: Journal
  /** Goes on when the tab lives, after a moment; never again when it is gone. */
  wait(): Promise<void>
  readonly isAlive: boolean
  freeze(): void
  thaw(): void
  /** Closes, reloads or crashes it: the browser frees its locks. */
  kill(): void
}

export interface FakeBrowser {
  openTab(): FakeTab
}

/** Tabs that share locks, channels and a journal. `later` decides when what takes time is over. */
export function fakeBrowser(kept: Required<Journal>, later: () => Promise<void>): FakeBrowser {
  const locks = fakeLocks()
  const channels = fakeChannels()
  return {
    openTab() {
      let isAlive = true
      let thawed: (() => void)[] | undefined
      const wait = async (): Promise<void> => {
        await later()
        while (thawed) await new Promise<void>((resolve) => thawed?.push(resolve))
        if (!isAlive) await new Promise(() => {})
      }
      const client = { wait }
      const journal: Journal = {
        ...kept,
        async append(...given) {
          await wait()
          await kept.append(...given)
          await wait()
        },
        async read(...given) {
          await wait()
          return kept.read(...given)
        },
        async claim(...given) {
          await wait()
          return kept.claim(...given)
        },
      }
      return {
        wait,
        journal,
        origin: { locks: locks.of(client), channel: (name, listener) => channels.open(name, listener, client) },
        get isAlive() {
          return isAlive
        },
        freeze() {
          thawed ??= []
        },
        thaw() {
          const waiting = thawed ?? []
          thawed = undefined
          for (const go of waiting) go()
        },
        kill() {
          isAlive = false
          this.thaw()
          channels.leave(client)
          locks.leave(client)
        },
      }
    },
  }
}

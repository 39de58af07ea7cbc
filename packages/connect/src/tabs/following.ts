import type { Feed } from '@interleave/core/internal'
import { checkLog, outlived } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { LogFollower } from '../follower.ts'
import type { OwnerMessage } from './tabMessage.ts'

/** A run as a follower sees it: durable events come from the journal, live ones from the owner. */
export interface Following {
  /** Handles a message of the current owner. */
  hear(message: OwnerMessage, me: string): void
  /** There is another owner, of whose turn nothing is known yet. */
  begin(): void
  /** Reads what the journal has more, up to a length if one is given. */
  catchUp(length?: number): Promise<void>
  /** Marks that something was emitted here which is not in the journal. It is discarded before the next read. */
  stray(): void
  /**
   * Discards what was emitted here and is not in the journal, and reads on. Returns true if it is the log of the same
   * run.
   */
  setRight(): Promise<boolean>
  /** Stops reading. Resolves when the current read has been emitted. */
  end(): Promise<unknown>
}

export interface FollowingOptions {
  readonly id: string
  readonly feed: Feed
  readonly journal: Journal
  /** Called with a read error. */
  readonly onError: (error: unknown) => void
}

export function createFollowing({ id, feed, journal, onError }: FollowingOptions): Following {
  const follower = new LogFollower(feed)
  let hasJoined = false
  let known = 0
  let isReading = false
  let isAstray = false
  let isEnded = false
  /** One reads at a time: who else does begins after. */
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const reading = turn.then(read)
    turn = reading.catch(() => {})
    return reading
  }

  const setRight = async (): Promise<boolean> => {
    if (isEnded) return true
    const kept = await journal.read(id)
    const events = kept.length === 0 ? [] : checkLog(kept, { runId: id })
    isAstray = false
    if (events.length === 0) return true
    return follower.replaceLog(events)
  }
  const readOn = async (end?: number): Promise<void> => {
    if (isEnded) return
    if (isAstray && !(await setRight())) throw outlived(id)
    follower.appendEvents(await journal.read(id, feed.state.seq), end)
  }
  /** Reads as often as there is something new. */
  const follow = async (): Promise<void> => {
    for (let before = -1; !isEnded && (isAstray || (feed.state.seq < known && feed.state.seq !== before)); ) {
      before = feed.state.seq
      await readOn()
    }
    isReading = false
  }
  const hearOf = (length: number): void => {
    known = Math.max(known, length)
    if (isReading || (known <= feed.state.seq && !isAstray)) return
    isReading = true
    const isShown = isAstray
    inTurn(follow).catch((error: unknown) => {
      isReading = false
      if (!isShown) onError(error)
    })
  }

  return {
    begin() {
      follower.dropLiveEvents()
      hasJoined = false
      known = 0
    },
    hear(message, me) {
      switch (message.type) {
        case 'joined':
          if (message.to !== me) return
          hasJoined = true
          for (const event of message.live) follower.addLiveEvent(event, message.after)
          return hearOf(message.after)
        case 'owner':
          // What could not be read before may be by now.
          return hearOf(known)
        case 'kept':
          return hearOf(message.length)
        case 'done':
          return hearOf(message.length)
        case 'live':
          if (hasJoined) follower.addLiveEvent(message.event, message.after)
      }
    },
    catchUp: (length) => inTurn(() => readOn(length)),
    setRight: () => inTurn(setRight),
    end() {
      isEnded = true
      return turn
    },
    stray() {
      isAstray = true
    },
  }
}

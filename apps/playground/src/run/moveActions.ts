import type { Queues } from '@interleave/core/internal'
import type { StoreApi } from 'zustand/vanilla'
import { own } from '../parts/objects.ts'
import type { PageStorage } from '../storage/PageStorage.ts'
import type { Place } from '../workers/Place.ts'
import type { HeldRuns } from './heldRuns.ts'
import type { Playground } from './Playground.ts'
import { type Conversation, hasBegun, type Move, type PlaygroundState, type Trouble } from './PlaygroundState.ts'

export interface MoveSetting {
  readonly store: StoreApi<PlaygroundState>
  readonly held: HeldRuns
  /** The changes of each run, one after the other. */
  readonly changes: Queues
  readonly opening: () => Promise<{ readonly storage: PageStorage } & typeof import('./openConversation.ts')>
  readonly open: (runId: string) => Promise<void>
  readonly hold: (conversation: Conversation) => void
  readonly attempt: (task: Trouble['task'], work: () => Promise<void>) => Promise<void>
}

/** Opens runs again, at the same host or at another one of this browser. */
export function moveActions(setting: MoveSetting): Pick<Playground, 'runIn' | 'reattach'> {
  const { store, held, changes, opening, open, hold, attempt } = setting
  const note = (runId: string, move: Move): void =>
    store.setState(({ moves }) => ({ moves: { ...moves, [runId]: move } }))
  const isLatest = (runId: string, move: Move): boolean => own(store.getState().moves, runId)?.id === move.id

  /** Starts a run again that never began. If that fails, the run stays as it was. */
  const startAgain = async (before: Conversation, place: Place): Promise<void> => {
    const { storage, restart } = await opening()
    try {
      hold(await restart(storage, before, { place, prices: store.getState().prices }))
    } catch (error) {
      held.add(before)
      throw error
    }
  }

  const move = async (runId: string, to: Move): Promise<void> => {
    const [before] = held.open([runId])
    const { storage, moveTo } = await opening()
    await moveTo(storage, runId, to.to)
    if (!before) return open(runId)
    if (isLatest(runId, to)) note(runId, { ...to, left: before })
    held.release(before)
    if ((await storage.journal.read(runId)).length === 0) await startAgain(before, to.to)
    else await open(runId)
  }

  return {
    runIn(runId, place) {
      const to: Move = { id: Symbol(runId), to: place }
      note(runId, to)
      return changes.run(runId, async () => {
        await attempt('move', () => move(runId, to))
        if (isLatest(runId, to)) store.setState(({ moves: { [runId]: _, ...moves } }) => ({ moves }))
      })
    },
    reattach: (runId) =>
      changes.run(runId, async () => {
        const [before] = held.open([runId])
        if (!before) return open(runId)
        held.release(before)
        if (hasBegun(before)) await open(runId)
        else await attempt('start', () => startAgain(before, before.place))
      }),
  }
}

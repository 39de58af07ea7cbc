import type { StoreApi } from 'zustand/vanilla'
import { isServed } from '../workers/Place.ts'
import { toDrafted } from './drafts.ts'
import { type Conversation, noPlace, type PlaygroundState } from './PlaygroundState.ts'

/** The runs that are open in this page. */
export interface HeldRuns {
  add(conversation: Conversation): void
  replace(before: Conversation, after: Conversation): void
  /** Closes a run, to open it again. */
  release(conversation: Conversation): void
  /** Closes all runs on servers but this one. They continue there, and a browser has few connections to one origin. */
  detach(shown: string | undefined): void
  /** Closes runs that are deleted, and drops their drafts. */
  drop(runIds: readonly string[]): void
  open(runIds: readonly string[]): readonly Conversation[]
}

export function heldRuns(store: StoreApi<PlaygroundState>): HeldRuns {
  const open = (runIds: readonly string[]): readonly Conversation[] =>
    store.getState().conversations.filter(({ run }) => runIds.includes(run.id))
  const release = (conversation: Conversation): void => {
    conversation.close()
    store.setState(({ conversations }) => ({ conversations: conversations.filter((one) => one !== conversation) }))
  }
  return {
    open,
    add: (conversation) =>
      store.setState(({ conversations, failures: { [conversation.run.id]: _, ...failures } }) => ({
        failures,
        conversations: [conversation, ...conversations],
      })),
    replace: (before, after) =>
      store.setState(({ conversations }) => ({
        conversations: conversations.map((one) => (one === before ? after : one)),
      })),
    release,
    detach(shown) {
      for (const one of store.getState().conversations) if (isServed(one.place) && one.run.id !== shown) release(one)
    },
    drop(runIds) {
      for (const { close } of open(runIds)) close()
      store.setState(({ conversations, failures, shown, drafts }) => ({
        conversations: conversations.filter(({ run }) => !runIds.includes(run.id)),
        failures: Object.fromEntries(Object.entries(failures).filter(([id]) => !runIds.includes(id))),
        ...(shown !== undefined && runIds.includes(shown) && { ...noPlace, shown: undefined }),
        drafts: runIds.reduce((left, id) => toDrafted(left, id, ''), drafts),
      }))
    },
  }
}

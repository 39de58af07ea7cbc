import type { Event } from '@interleave/core'
import { useRun } from '@interleave/react'
import { createContext, useCallback, useContext } from 'react'
import { useStore } from 'zustand'
import { pastConversation } from '../travel/pastConversation.ts'
import type { Playground } from './Playground.ts'
import { type Conversation, knownIn, type PlaygroundState } from './PlaygroundState.ts'

export const PlaygroundContext = createContext<Playground | undefined>(undefined)

/** Returns the page's actions and store. */
export function usePlayground(): Playground {
  const playground = useContext(PlaygroundContext)
  if (!playground) throw new Error('Wrap the page in <PlaygroundContext value={createPlayground(…)}>.')
  return playground
}

export const usePage = <T>(select: (state: PlaygroundState) => T): T => useStore(usePlayground().store, select)

/** The run that is shown, as it is, as it was at an event, or as its last host left it while it moves. */
export const useShown = (): Conversation | undefined =>
  usePage((page) => {
    const live = knownIn(page)
    return live && page.travelledTo !== undefined ? pastConversation(live, page.travelledTo) : live
  })

/** The log of a run, at most one new one per frame. */
export function useEvents({ run, log }: Conversation): readonly Event[] {
  return useRun(
    run,
    useCallback(() => log.events, [log]),
  )
}

import type { Agent } from '@interleave/core'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { type Words, WordsProvider } from './words/words.tsx'

type StartOptions = NonNullable<Parameters<Agent['start']>[1]>

/** The default options of new runs; a component may override them. */
export type StartDefaults = Pick<StartOptions, 'journal' | 'host' | 'observers'>

const Defaults = createContext<StartDefaults>({})

export interface ReActProviderProps extends StartDefaults {
  /** The words of the components; English by default. Those that are missing stay those of the outer provider. */
  readonly words?: Partial<Words>
  readonly children?: ReactNode
}

/**
 * Sets the journal, the host and the observers of every `useReAct` below it, and the words of every component. An inner
 * provider overrides them.
 */
export function ReActProvider({ children, journal, host, observers, words }: ReActProviderProps): ReactNode {
  const outer = useStartDefaults()
  const defaults = useMemo(
    () => ({ ...outer, ...(journal && { journal }), ...(host && { host }), ...(observers && { observers }) }),
    [outer, journal, host, observers],
  )
  return (
    <Defaults.Provider value={defaults}>
      <WordsProvider words={words}>{children}</WordsProvider>
    </Defaults.Provider>
  )
}

/** Returns the defaults of the surrounding `ReActProvider`s; empty without one. */
export const useStartDefaults = (): StartDefaults => useContext(Defaults)

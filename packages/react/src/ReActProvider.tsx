import type { Agent } from '@interleave/core'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { ExposesErrorsContext } from './failureWords.ts'
import { type Words, WordsProvider } from './words/words.tsx'

type StartOptions = NonNullable<Parameters<Agent['start']>[1]>

/** The default options of new runs; a component may override them. */
export type StartDefaults = Pick<StartOptions, 'journal' | 'host' | 'observers'>

const Defaults = createContext<StartDefaults>({})

export interface ReActProviderProps extends StartDefaults {
  /** The words of the components; English by default. Those that are missing stay those of the outer provider. */
  readonly words?: Partial<Words>
  /** Shows the messages of failures with advice for developers, in place of the sentences for users: for development. */
  readonly exposeErrors?: boolean
  readonly children?: ReactNode
}

/**
 * Sets the journal, the host and the observers of every `useReAct` below it, and the words of every component. An inner
 * provider overrides them.
 */
export function ReActProvider(props: ReActProviderProps): ReactNode {
  const { children, journal, host, observers, words, exposeErrors } = props
  const outerExposes = useContext(ExposesErrorsContext)
  const outer = useStartDefaults()
  const defaults = useMemo(
    () => ({ ...outer, ...(journal && { journal }), ...(host && { host }), ...(observers && { observers }) }),
    [outer, journal, host, observers],
  )
  return (
    <Defaults.Provider value={defaults}>
      <ExposesErrorsContext.Provider value={exposeErrors ?? outerExposes}>
        <WordsProvider words={words}>{children}</WordsProvider>
      </ExposesErrorsContext.Provider>
    </Defaults.Provider>
  )
}

/** Returns the defaults of the surrounding `ReActProvider`s; empty without one. */
export const useStartDefaults = (): StartDefaults => useContext(Defaults)

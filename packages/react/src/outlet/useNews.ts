import type { Ask, Run } from '@interleave/core'
import { useEffect, useRef, useState } from 'react'
import { plainText } from '../untrusted/piecesOf.ts'
import { askerOf } from './Origin.tsx'

export interface NewsOptions {
  readonly run: Run | undefined
  readonly isOpen: boolean
  readonly shortcut: string | false
}

/**
 * What a screen reader is told of the questions: one that came and does not open by itself, and one that was answered elsewhere. A
 * dialog that opens tells of itself.
 */
export function useNews(
  asks: readonly Ask[],
  { run, isOpen, shortcut }: NewsOptions,
): readonly [news: string, onReplied: (askId: string) => void] {
  const [news, tell] = useState('')
  const before = useRef<readonly Ask[]>([])
  const replied = useRef(new Set<string>())
  const told = useRef<string>(undefined)

  useEffect(() => {
    const [ask] = asks
    const gone = before.current.some(({ id }) => !asks.some((open) => open.id === id) && !replied.current.has(id))
    before.current = asks
    if (gone)
      tell(
        asks.length > 0
          ? 'The question was answered elsewhere. Here is the next one.'
          : 'The question was answered elsewhere.',
      )
    else if (ask && run && !isOpen && told.current !== `${run.id}/${ask.id}`) {
      told.current = `${run.id}/${ask.id}`
      const how = shortcut ? ` (${shortcut} opens it)` : ''
      tell(`${plainText(askerOf(run.state, ask))} asks: ${plainText(ask.prompt).slice(0, 200)}${how}`)
    } else if (isOpen && !gone) tell('')
  }, [asks, isOpen, run, shortcut])

  return [news, (askId) => replied.current.add(askId)]
}

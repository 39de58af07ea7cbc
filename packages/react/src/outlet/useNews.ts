import type { Ask, Run } from '@interleave/core'
import { useEffect, useRef, useState } from 'react'
import { plainText } from '../untrusted/piecesOf.ts'
import { askerOf } from './Origin.tsx'

export interface NewsOptions {
  readonly run: Run | undefined
  readonly isOpen: boolean
  readonly shortcut: string | false
}

/** Is told of each reply that is sent here, and gives what takes that back where it was not taken. */
export type OnReply = (ask: Ask) => () => void

/**
 * What a screen reader is told of the questions: one that came and does not open by itself, and one that is gone without an answer
 * from here. A dialog that opens tells of itself.
 */
export function useNews(
  asks: readonly Ask[],
  { run, isOpen, shortcut }: NewsOptions,
): readonly [news: string, onReply: OnReply] {
  const [news, tell] = useState('')
  const before = useRef<Pick<NewsOptions, 'run'> & { readonly asks: readonly Ask[] }>({ run, asks: [] })
  const replies = useRef(new Set<{ readonly ask: Ask }>())
  const told = useRef<Ask>(undefined)

  useEffect(() => {
    const [ask] = asks
    const last = before.current
    before.current = { run, asks }
    const isAnswered = (ask: Ask): boolean => [...replies.current].some((sent) => sent.ask === ask)
    const isGone = (ask: Ask): boolean => !asks.some(({ id }) => id === ask.id) && !isAnswered(ask)
    if (last.run === run && last.asks.some(isGone)) tell(goneWords(run, ask))
    else if (ask && run && !isOpen && told.current !== ask) {
      told.current = ask
      const how = shortcut ? ` (${shortcut} opens it)` : ''
      tell(`${plainText(askerOf(run.state, ask))} asks: ${plainText(ask.prompt).slice(0, 200)}${how}`)
    } else if (isOpen || last.run !== run) tell('')
  }, [asks, isOpen, run, shortcut])

  const onReply: OnReply = (ask) => {
    const sent = { ask }
    replies.current.add(sent)
    return () => void replies.current.delete(sent)
  }
  return [news, onReply]
}

function goneWords(run: Run | undefined, next: Ask | undefined): string {
  if (run?.state.rest?.type === 'stopped') return 'The question is not asked any more.'
  return `The question was answered elsewhere.${next ? ' Here is the next one.' : ''}`
}

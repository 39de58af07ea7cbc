import { type ReactNode, useState } from 'react'
import { Phrase, type Say, useSay } from '../words/words.tsx'
import { invisible, segmentsOf, type TextSegment, turnsText, wordsOf } from './segmentsOf.ts'

export interface UntrustedTextProps {
  readonly children: string
  /** The number of characters to show at first; 500 by default. */
  readonly limit?: number
}

/**
 * Shows text of a model, a tool or a file for a user's decision. Invisible or reordering characters appear as their
 * code, misleading addresses show their host, and long text is cut until the user expands it. It never renders markup.
 */
export function UntrustedText({ children: text, limit = 500 }: UntrustedTextProps): ReactNode {
  const say = useSay()
  const [isWhole, showWhole] = useState(false)
  const isCut = !isWhole && text.length > limit
  const segments = segmentsOf(isCut ? `${startOf(text, limit)}…` : text)
  return (
    <span data-interleave="untrusted" dir="auto">
      {segments.slice(0, mostViews).map((segment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a text never move.
        <SegmentView key={index} segment={segment} />
      ))}
      {wordsOf(segments.slice(mostViews))}
      {isCut && (
        <>
          {' '}
          <button type="button" data-interleave="more" onClick={() => showWhole(true)}>
            {say('showAll', { count: text.length })}
          </button>
        </>
      )}
    </span>
  )
}

/** Shows what a text was, struck through, and what it is now. */
export const Changed = ({ before, after }: { readonly before: string; readonly after: string }): ReactNode => (
  <span data-interleave="changed">
    <del>
      <UntrustedText limit={1_000}>{before}</UntrustedText>
    </del>{' '}
    <ins>
      <UntrustedText limit={1_000}>{after}</UntrustedText>
    </ins>
  </span>
)

/** Further segments are rendered as plain text, since each hidden character would be an element of its own. */
const mostViews = 1_000

/** Cuts a text, but never within a surrogate pair. */
const startOf = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** The names of characters are those of Unicode, which has them in English alone. */
const nameIn = (say: Say, name: string): string =>
  name === turnsText ? say('turnsText') : name === invisible ? say('invisible') : name

function SegmentView({ segment }: { readonly segment: TextSegment }): ReactNode {
  const say = useSay()
  switch (segment.type) {
    case 'text':
      return segment.text
    case 'hidden':
      return (
        <span data-interleave="hidden" title={nameIn(say, segment.name)}>
          {segment.code}
        </span>
      )
    case 'host':
      return (
        <span data-interleave="host" title={say('realHost')}>
          {' '}
          <Phrase of="leadsTo" host={segment.host} />
        </span>
      )
    case 'ascii':
      return <small data-interleave="ascii"> ({segment.host})</small>
  }
}

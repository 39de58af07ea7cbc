import { type ReactNode, useState } from 'react'
import { segmentsOf, type TextSegment, wordsOf } from './segmentsOf.ts'

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
            Show all ({text.length.toLocaleString('en')} characters)
          </button>
        </>
      )}
    </span>
  )
}

/** Further segments are rendered as plain text, since each hidden character would be an element of its own. */
const mostViews = 1_000

/** Cuts a text, but never within a surrogate pair. */
const startOf = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

function SegmentView({ segment }: { readonly segment: TextSegment }): ReactNode {
  switch (segment.type) {
    case 'text':
      return segment.text
    case 'hidden':
      return (
        <span data-interleave="hidden" title={segment.name}>
          {segment.code}
        </span>
      )
    case 'host':
      return (
        <span data-interleave="host" title="The real host of the address before it">
          {' '}
          leads to {segment.host}
        </span>
      )
    case 'ascii':
      return <small data-interleave="ascii"> ({segment.host})</small>
  }
}

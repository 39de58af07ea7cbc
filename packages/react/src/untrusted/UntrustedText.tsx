import { type ReactNode, useState } from 'react'
import { type Piece, piecesOf } from './piecesOf.ts'

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
  return (
    <span data-interleave="untrusted" dir="auto">
      {piecesOf(isCut ? `${startOf(text, limit)}…` : text).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a text never move.
        <PieceView key={index} piece={piece} />
      ))}
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

/** Cuts a text, but never within a surrogate pair. */
const startOf = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

function PieceView({ piece }: { readonly piece: Piece }): ReactNode {
  switch (piece.type) {
    case 'text':
      return piece.text
    case 'hidden':
      return (
        <span data-interleave="hidden" title={piece.name}>
          {piece.code}
        </span>
      )
    case 'host':
      return (
        <span data-interleave="host" title="The real host of the address before it">
          {' '}
          leads to {piece.host}
        </span>
      )
  }
}

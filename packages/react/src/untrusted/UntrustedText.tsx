import { type ReactNode, useState } from 'react'
import { type Piece, piecesOf } from './piecesOf.ts'

export interface UntrustedTextProps {
  readonly children: string
  /** So many characters are shown at first; 500 by default. */
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
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text do not move.
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

/** Never half of a character. */
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
        <span data-interleave="host" title="Where the address before it leads">
          {' '}
          leads to {piece.host}
        </span>
      )
  }
}

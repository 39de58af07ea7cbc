import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { toMessages } from '../../message.ts'
import type { RunState } from '../../state.ts'
import { cutResults } from './cutResults.ts'
import type { Piece } from './piece.ts'
import type { OldPart } from './strategy.ts'
import { transcript } from './transcript.ts'

/** The prompt, split into an old part to shorten and a recent part that stays. */
export interface Parts {
  readonly old: Pick<OldPart, 'pieces' | 'requests' | 'request'>
  readonly recent: readonly Piece[]
  /** The latest turn where it is too long to stay as it is: its results are cut. */
  readonly cut: readonly LanguageModelV4Message[]
}

export interface Cutting {
  readonly pieces: readonly Piece[]
  /** The number of entries that should stay. */
  readonly keep: number
  /** Their maximum tokens, without the latest turn. */
  readonly most: number
  /** The maximum tokens of the latest turn. */
  readonly room: number
}

export function partsOf(state: RunState, { pieces, keep, most, room }: Cutting): Parts {
  const latest = latestOf(pieces)
  const excess = tokensOf(pieces.slice(latest)) - room
  const start = excess > 0 ? latest : recentFrom(pieces, { latest, keep, most })
  const old = pieces.slice(0, start).filter(({ messages }) => messages.length > 0)
  const recent = pieces.slice(start)
  const asked = { ...requestsOf(state, pieces), pieces: old }
  if (excess <= 0) return { old: asked, recent, cut: [] }
  return {
    old: asked,
    recent: [],
    cut: cutResults(
      recent.flatMap(({ messages }) => messages),
      excess,
    ),
  }
}

export const tokensOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { tokens }) => sum + tokens, 0)

/** Where the latest turn begins, whose results the model may not have read. Turns that failed said nothing. */
function latestOf(pieces: readonly Piece[]): number {
  const said = pieces.findLastIndex(({ messages }) => messages.length > 0)
  const { kind, entries } = pieces[said] ?? { kind: 'request', entries: 0 }
  return kind === 'turn' && entries > 0 ? said : pieces.length
}

function recentFrom(
  pieces: readonly Piece[],
  { latest, keep, most }: Pick<Cutting, 'keep' | 'most'> & { latest: number },
): number {
  let start = latest
  let entries = pieces.slice(latest).reduce((sum, piece) => sum + piece.entries, 0)
  let tokens = tokensOf(pieces.slice(latest))
  for (let piece = pieces[start - 1]; piece && piece.entries > 0; piece = pieces[start - 1]) {
    entries += piece.entries
    tokens += piece.tokens
    if (entries > keep || tokens > most) break
    start--
  }
  return start
}

/** Returns the user's first request, and the current one unless it is still pending. */
function requestsOf({ pending }: RunState, pieces: readonly Piece[]): Pick<OldPart, 'requests' | 'request'> {
  const requests = pieces.filter(({ kind }) => kind === 'request')
  const [first] = requests
  const last = requests.at(-1)
  const said = pending.findLast(({ by }) => by === 'user')
  const messages = said ? toMessages(said) : (last?.messages ?? [])
  const pinned = [first, said ? undefined : last].filter((piece) => piece !== undefined)
  return { requests: new Set(pinned), request: transcript([{ messages }], 0) }
}

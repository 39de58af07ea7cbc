import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { AgentError } from '../../error.ts'
import { asPlain } from '../../json.ts'
import type { RunContext } from '../../run.ts'
import { dropTurns } from './dropTurns.ts'
import { estimateEntry, estimateMessages } from './estimate.ts'
import { omissionMessage } from './marks.ts'
import type { Fullness } from './measure.ts'
import { partsOf, tokensOf } from './parts.ts'
import { type Piece, piecesOf } from './piece.ts'
import type { CompactionStrategy, OldPart, Shortened } from './strategy.ts'

/** The target of a compaction. Tokens are estimates; multiplied by `scale` they are the model's. */
export interface ShrinkPlan extends Fullness {
  /** True if the model accepts no more than its current prompt. */
  readonly full: boolean
  readonly window: number
  /** Where the history is too long. */
  readonly limit: number
  /** The target size. */
  readonly goal: number
  readonly keep: number
  readonly strategy: CompactionStrategy
}

/** Makes the history that the model is given shorter, and says so in the log. */
export async function shrink(run: RunContext, plan: ShrinkPlan): Promise<void> {
  const { state } = run
  const { window, goal, scale, overhead, unexplained } = plan
  const always = overhead + unexplained + state.pending.reduce((sum, said) => sum + estimateEntry(said), 0)
  // A tenth of the window is for the old part, however much the rest is.
  const least = window / 10
  const pieces = piecesOf(state)
  const parts = partsOf(state, { pieces, keep: plan.keep, most: goal / 2, room: plan.limit - always - least })
  const taken = always + tokensOf(parts.recent) + estimateMessages(parts.cut)
  const old = { ...parts.old, budget: Math.max(least, goal - taken), contextWindow: window }
  const strategy = old.pieces.some((piece) => isLoose(piece, old)) ? plan.strategy : dropTurns()
  const short: Shortened = old.pieces.length > 0 ? await strategy.shorten(old, run) : { messages: [] }
  const messages = fromUser([...short.messages, ...parts.cut], parts.recent)
  const after = always + tokensOf(parts.recent) + estimateMessages(messages)
  if (after - unexplained >= window) throw tooMuch(after * scale, window * scale)
  // What saves little is put off until it must be: each compaction costs the provider's cache of the prompt.
  const saved = always + tokensOf(pieces) - after
  if (saved < least && !plan.full && !short.usage) return
  run.emit({
    type: 'compacted',
    messages: asPlain(messages),
    keep: parts.recent.reduce((sum, { entries }) => sum + entries, 0),
    strategy: short.strategy ?? strategy.name,
    before: Math.round(plan.tokens),
    after: Math.round(after * scale),
    ...(short.usage && { usage: short.usage }),
  })
  await run.durable()
}

/** Returns true if a strategy could shorten it. A request alone is not summarized. */
const isLoose = (piece: Piece, { requests }: Pick<OldPart, 'requests'>): boolean =>
  !requests.has(piece) && (piece.kind === 'turn' || piece.kind === 'request' || piece.kind === 'reminder')

/** Providers want the user to speak first. */
function fromUser(messages: readonly LanguageModelV4Message[], recent: readonly Piece[]): LanguageModelV4Message[] {
  const start = messages.findIndex(({ role }) => role !== 'system')
  const first = messages[start] ?? recent.flatMap((piece) => piece.messages)[0]
  if (!first || first.role === 'user') return [...messages]
  const at = start === -1 ? messages.length : start
  return messages.toSpliced(at, 0, omissionMessage({ turns: 0, messages: 0 }))
}

function tooMuch(tokens: number, window: number): AgentError {
  const what = 'The instructions, the tools, the latest messages and what is left of the rest'
  const message = `${what} take about ${Math.round(tokens)} tokens of the ${Math.round(window)} that the model takes.`
  return new AgentError('context_full', `${message} Say less at once, or give compact() a strategy that omits more.`)
}

import type { Move } from './decision.ts'
import type { Intent } from './intents.ts'
import { shorten } from './question.ts'

/** The planner's reasons in plain words: which tool scored what, and where each value came from. */
export function explain(intents: readonly Intent[], moves: readonly Move[], calls: number): string[] {
  const opening = calls === 0 && intents.length > 1 ? [`I see ${intents.length} requests.`] : []
  return [...opening, ...intents.flatMap((intent, index) => explainOne(intent, moves[index], calls))]
}

function explainOne({ text, tool, scores }: Intent, move: Move | undefined, calls: number): string[] {
  const said = `"${shorten(text, 100)}"`
  if (!tool || !move) return [`For ${said} no tool scores enough (${list(scores)}).`]
  const why = calls === 0 ? [`For ${said} I take ${tool.name}. Scores: ${list(scores)}.`] : []
  switch (move.type) {
    case 'done':
      return [`${tool.name} has answered ${said}.`]
    case 'wait':
      return [...why, `${said} waits for what comes before it.`]
    case 'unable':
      return [...why, move.reason]
    case 'ask':
      return [
        ...why,
        `${move.tool.name} needs ${move.missing.slot.name}, and neither your words nor a result has it. I ask.`,
      ]
    case 'call':
      return [
        ...why,
        ...(move.why ? [move.why] : []),
        `I call ${move.call.tool}${move.notes.length > 0 ? ` with ${move.notes.join(', ')}` : ''}.`,
      ]
  }
}

const list = (scores: Intent['scores']): string =>
  scores
    .map(
      ({ tool, points, reasons }) =>
        `${tool.name} ${points}${reasons.length > 0 ? ` for ${reasons.slice(0, 4).join(', ')}` : ''}`,
    )
    .join('; ') || 'there are no tools'

import type { Move } from './decision.ts'
import type { Intent } from './intents.ts'
import { shorten } from './wording.ts'

/** The planner's reasons in plain words: which tool it uses, and where each value came from. */
export function explain(intents: readonly Intent[], moves: readonly Move[], calls: number): string[] {
  const opening = calls === 0 && intents.length > 1 ? [`${counts[intents.length] ?? intents.length} requests.`] : []
  return [...opening, ...intents.flatMap((intent, index) => explainOne(intent, moves[index], calls))]
}

function explainOne({ text, tool }: Intent, move: Move | undefined, calls: number): string[] {
  const said = `“${shorten(text, 100)}”`
  if (!tool || !move) return [`For ${said} I have no tool.`]
  const why = calls === 0 ? [`For ${said} I'll use ${tool.name}.`] : []
  switch (move.type) {
    case 'done':
      return [`${tool.name} has done ${said}.`]
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

const counts: readonly string[] = ['', '', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight']

import { isRecord } from '../../parts/objects.ts'
import { isGreeting, isThanks } from './compose.ts'
import type { Exchange } from './conversation.ts'
import type { Evidence } from './evidence.ts'
import type { Intent } from './intents.ts'
import { enough } from './scoreTools.ts'
import { takeFrom } from './takeFrom.ts'
import { textReader } from './textReader.ts'
import { words } from './tokenise.ts'
import type { PlannerTool, Toolbox } from './toolbox.ts'

interface Following {
  readonly intents: readonly Intent[]
  readonly earlier: readonly Exchange[]
  readonly toolbox: Toolbox
}

export interface FollowUp {
  readonly intents: Intent[]
  readonly base: Evidence['base']
}

/** "And to Porto?" repeats the call before with a change: for a short message that means no tool by itself. */
export function followUp(text: string, { intents, earlier, toolbox }: Following): FollowUp | undefined {
  const isOwn = intents.some(({ scores }) => (scores[0]?.points ?? 0) >= enough)
  if (isOwn || isGreeting(text) || isThanks(text)) return undefined
  const opens =
    /^\W*(?:and|or|what about|how about|now|instead|rather|make it|same|but|then|also|in|for|to|from|on|with)\b/i.test(
      text,
    )
  if (!opens && words(text).length > 4) return undefined
  const before = earlier.findLast(({ observations }) => observations.length > 0)
  for (const { tool: name, input } of before?.observations.toReversed() ?? []) {
    const tool = toolbox.tools.find((own) => own.name === name)
    if (!tool || !isRecord(input) || !changes(text, tool)) continue
    return {
      intents: [{ text, chained: false, tool, scores: [{ tool, points: enough, reasons: ['it follows up'] }] }],
      base: input,
    }
  }
  return undefined
}

/** Returns true if the words have a value for a field of the tool. */
function changes(text: string, tool: PlannerTool): boolean {
  const reader = textReader(text, { tool, now: new Date(0) })
  return tool.slots.some(
    (slot) =>
      slot.kind !== 'query' &&
      (slot.kind !== 'text' || words(slot.name).at(-1) === 'by') &&
      takeFrom(reader, slot) !== undefined,
  )
}

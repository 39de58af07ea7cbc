import { isRecord } from '../../parts/objects.ts'
import { toolWords } from '../../parts/wording.ts'
import { isIdName } from './candidates.ts'
import type { Observation } from './conversation.ts'
import type { Planned } from './planMoves.ts'
import { renderObservation } from './render.ts'
import { shorten } from './tokenise.ts'
import type { PlannerTool, Toolbox } from './toolbox.ts'

/** Writes the answer from what the calls returned and what could not be done. Look-ups count only if they failed. */
export function compose(observations: readonly Observation[], { moves, helpers }: Planned): string {
  const isDone = moves.some(({ type }) => type === 'done')
  const shown = observations.filter(
    (observation, index) =>
      observation.status !== 'ok' ||
      !((isDone && helpers.includes(observation)) || isUsed(observation, observations.slice(index + 1))),
  )
  const unable = moves.flatMap((move) => (move.type === 'unable' ? [move.reason] : []))
  return [...shown.map(renderObservation), ...new Set(unable)].join('\n\n')
}

/** Returns true if a later call took one of the ids of this list. */
function isUsed({ value }: Observation, later: readonly Observation[]): boolean {
  if (!Array.isArray(value)) return false
  const ids = new Set(value.slice(0, 200).flatMap(idsIn))
  return later.some(
    ({ status, input }) => status === 'ok' && isRecord(input) && Object.values(input).some((field) => ids.has(field)),
  )
}

const idsIn = (item: unknown): unknown[] =>
  isRecord(item) ? Object.entries(item).flatMap(([key, field]) => (isIdName(key) ? [field] : [])) : []

/** The planner's text when it has nothing to call: what it is, and what it can do. */
export function introduce({ tools }: Toolbox, about?: string): string {
  const first = about ? `I did not understand “${shorten(about, 120)}”.` : 'Hello.'
  const who = 'I am a small rule-based planner, not a language model'
  if (tools.length === 0) return `${first} ${who}, and this agent has no tools. Give it one, or choose another model.`
  return `${first} ${who}, so I know only these things:\n\n${tools.map(offer).join('\n')}`
}

function offer({ name, description }: PlannerTool): string {
  const [sentence = ''] = description.split(/(?<=\.)\s/)
  return `- **${toolWords(name)}**${sentence ? ` – ${shorten(sentence, 160)}` : ''}`
}

/** Returns true if a text only greets, or asks what there is to do. */
export function isGreeting(text: string): boolean {
  const rest = text
    .slice(0, 200)
    .replace(/^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening))\b(?:\s+there\b)?/i, '')
  return (
    /^\W*$/.test(rest) ||
    /^\W*(?:please\s+)?(?:help(?: me)?|what can (?:you|i) (?:do|ask)(?: (?:for me|here|you))?|what do you do|what (?:else )?is possible|who are you|what are you|how are you|how does (?:it|this) work)\W*$/i.test(
      rest,
    )
  )
}

export const isThanks = (text: string): boolean =>
  /^\W*(?:thanks|thank you|great|cool|nice|perfect|ok|okay)(?:\s+(?:very much|a lot|you))*\W*$/i.test(text)

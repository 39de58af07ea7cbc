import { isRecord } from '../../parts/objects.ts'
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

/** The planner's text when it cannot help: what it is, and what the tools offer. */
export function refuse({ tools }: Toolbox, about?: string): string {
  const first = about ? `I cannot do that: no tool here fits "${shorten(about, 120)}".` : 'Hello.'
  const who = 'I am a small rule-based planner, not a language model'
  if (tools.length === 0) return `${first} ${who}, and this agent has no tools, so there is nothing that I can do.`
  return `${first} ${who}; I can call these tools:\n\n${tools.map(offer).join('\n')}`
}

function offer({ name, description, slots }: PlannerTool): string {
  const [sentence = ''] = description.split(/(?<=\.)\s/)
  const needs = slots.filter(({ required }) => required).map((slot) => slot.name)
  return `- **${name}**${sentence ? ` – ${shorten(sentence, 160)}` : ''}${needs.length > 0 ? ` It needs: ${needs.join(', ')}.` : ''}`
}

export const isGreeting = (text: string): boolean =>
  /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|help|what can you do|who are you|what are you)(?:\s+there)?\W*$/i.test(
    text,
  )

export const isThanks = (text: string): boolean =>
  /^\W*(?:thanks|thank you|great|cool|nice|perfect|ok|okay)(?:\s+(?:very much|a lot|you))*\W*$/i.test(text)

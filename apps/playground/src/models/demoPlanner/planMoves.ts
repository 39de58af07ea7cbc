import type { Observation } from './conversation.ts'
import type { Evidence, Missing, Move } from './evidence.ts'
import { fillSlots } from './fillSlots.ts'
import type { Intent } from './intents.ts'
import { scoreTools } from './scoreTools.ts'
import type { Slot } from './slot.ts'
import { concepts, spaced } from './tokenise.ts'
import type { PlannerTool, Toolbox } from './toolbox.ts'

interface Lacking {
  /** The tool that lacks the value. */
  readonly tool: PlannerTool
  /** The user's request. */
  readonly text: string
  readonly toolbox: Toolbox
}

/** The tools that can find what a slot needs: their words share the slot's noun, and they look up rather than change. The likeliest first. */
function providersFor(slot: Slot, { tool, text, toolbox }: Lacking): PlannerTool[] {
  if (slot.kind !== 'id' && slot.kind !== 'text') return []
  // The name of a text field tells if it can be looked up; its description does not.
  const own = slot.kind === 'text' ? concepts(slot.name) : slot.concepts
  const nouns = own.filter((key) => key !== 'id' && key !== 'name' && key !== 'text')
  const others = { ...toolbox, tools: toolbox.tools.filter((other) => other !== tool) }
  return scoreTools(text, others)
    .map(({ tool: other, points }) => ({ other, shared: sharedOf(other, nouns), points }))
    .filter(({ other, shared }) => shared > 0 && looksUp(other))
    .toSorted((a, b) => b.points + b.shared - (a.points + a.shared))
    .map(({ other }) => other)
}

const sharedOf = ({ weights }: PlannerTool, nouns: readonly string[]): number =>
  nouns.filter((noun) => (weights.get(noun) ?? 0) >= 1.5).length

const lookups = concepts('search list read get open load browse')
const looksUp = ({ name, description }: PlannerTool): boolean => {
  const own = concepts(`${name} ${description}`)
  return (
    /^(?:get|search|find|list|read|open|load|fetch|browse|pick|ask|choose)/i.test(name) ||
    lookups.some((key) => own.includes(key))
  )
}

export interface Knowledge extends Pick<Evidence, 'answers' | 'base' | 'now'> {
  readonly message: string
  readonly earlierTexts: readonly string[]
  /** The observations of earlier messages, and of this one. */
  readonly earlier: readonly Observation[]
  readonly observations: readonly Observation[]
}

export interface Planned {
  /** One for each request. */
  readonly moves: readonly Move[]
  /** Calls that were only made to find a value for another. */
  readonly helpers: readonly Observation[]
}

/** Returns the next move of each request. A request whose call is there is finished. */
export function planMoves(
  intents: readonly Intent[],
  { knowledge, toolbox }: Pick<Situation, 'knowledge' | 'toolbox'>,
): Planned {
  const left = [...knowledge.observations]
  const moves: Move[] = []
  let previous: Observation | undefined
  for (const [index, intent] of intents.entries()) {
    const own = takeFirst(left, intent.tool)
    const before = moves.slice(0, index)
    moves.push(own ? { type: 'done' } : moveOf(intent, { before, previous, knowledge, toolbox }))
    if (own) previous = own
  }
  return { moves, helpers: left }
}

function takeFirst(left: Observation[], tool: PlannerTool | undefined): Observation | undefined {
  const at = left.findIndex((observation) => observation.tool === tool?.name)
  return at < 0 ? undefined : left.splice(at, 1)[0]
}

interface Situation {
  readonly before: readonly Move[]
  readonly previous: Observation | undefined
  readonly knowledge: Knowledge
  readonly toolbox: Toolbox
}

function moveOf(intent: Intent, situation: Situation): Move {
  const { before, previous, knowledge, toolbox } = situation
  const { tool, text, chained } = intent
  if (!tool) return { type: 'unable', reason: `I do not know how to do “${text}”.` }
  const isOpen = before.some(({ type }) => type === 'call' || type === 'ask' || type === 'wait')
  if (chained && isOpen) return { type: 'wait' }
  if (chained && before.length > 0 && (before.at(-1)?.type === 'unable' || (previous && previous.status !== 'ok'))) {
    return { type: 'unable', reason: `I skipped "${text}", since what it builds on did not work.` }
  }
  const filled = fillSlots(
    tool,
    evidenceFor(intent, {
      previous,
      knowledge,
      findable: (slot) => isFindable(slot, { intent, tool, knowledge, toolbox }),
    }),
  )
  const [missing] = filled.missing
  if (!missing) return { type: 'call', call: { tool: tool.name, input: filled.input }, notes: filled.notes }
  if (isOpen) return { type: 'wait' }
  return provide(missing, { intent, tool, knowledge, toolbox }) ?? askFor(missing, tool)
}

/** Returns true if a tool that was not called yet can list the values of the slot. */
function isFindable(slot: Slot, { intent, tool, knowledge, toolbox }: Providing): boolean {
  const providers = providersFor(slot, { tool, text: intent.text, toolbox })
  const called = [...knowledge.earlier, ...knowledge.observations]
  return providers.length > 0 && !providers.some(({ name }) => called.some((observation) => observation.tool === name))
}

interface Seeing {
  readonly previous: Observation | undefined
  readonly knowledge: Knowledge
  readonly findable: Evidence['findable']
}

function evidenceFor({ text, chained }: Intent, { previous, knowledge, findable }: Seeing): Evidence {
  const { message, earlierTexts, earlier, observations, answers, base, now } = knowledge
  const around = [...(message === text ? [] : [message]), ...earlierTexts]
  // The first request of a message may use the result of the message before: "and times 2?"
  const isContinued = !previous && (chained || continues(text))
  return {
    clause: text,
    chained: chained || isContinued,
    around,
    observations: [...earlier, ...observations],
    previous: previous ?? (isContinued ? earlier.findLast(({ status }) => status === 'ok') : undefined),
    answers,
    base,
    findable,
    now,
  }
}

const continues = (text: string): boolean =>
  /^\W*(?:and|then|now|times|plus|minus|divided?|multipl|add|subtract|double|halve)\b/i.test(text)

interface Providing {
  readonly intent: Intent
  readonly tool: PlannerTool
  readonly knowledge: Knowledge
  readonly toolbox: Toolbox
}

/** Calls another tool first if it can find the missing value. */
function provide(missing: Missing, { intent, tool, knowledge, toolbox }: Providing): Move | undefined {
  if (missing.candidates.length > 0 || missing.slot.options.length > 0) return undefined
  const providers = providersFor(missing.slot, { tool, text: intent.text, toolbox })
  const tried = knowledge.observations.find((observation) => providers.some(({ name }) => name === observation.tool))
  if (tried)
    return {
      type: 'unable',
      reason: `I did not ${spaced(tool.name)}: ${spaced(tried.tool)} found nothing that fits. Ask for something else, and I look again.`,
    }
  const [provider] = providers
  if (!provider) return undefined
  const filled = fillSlots(provider, evidenceFor(intent, { previous: undefined, knowledge, findable: () => false }))
  const [first] = filled.missing
  if (first) return askFor(first, provider)
  const why = `To ${spaced(tool.name)}, I first need to ${spaced(provider.name)}.`
  return { type: 'call', call: { tool: provider.name, input: filled.input }, notes: filled.notes, why }
}

function askFor(missing: Missing, tool: PlannerTool): Move {
  if (missing.question) return { type: 'ask', tool, missing }
  return {
    type: 'unable',
    reason: `I did not ${spaced(tool.name)}, since I still do not know the ${spaced(missing.slot.name)}. Tell me, and I continue.`,
  }
}

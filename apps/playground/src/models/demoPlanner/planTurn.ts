import { optionsFor } from './choices.ts'
import { compose, introduce, isGreeting, isThanks } from './compose.ts'
import type { Exchange, Observation } from './conversation.ts'
import type { Decision, Move } from './evidence.ts'
import { finish } from './finish.ts'
import { followUp } from './followUp.ts'
import { type Intent, intentsOf } from './intents.ts'
import { type Knowledge, type Planned, planMoves } from './planMoves.ts'
import type { Question } from './question.ts'
import { shorten, spaced } from './tokenise.ts'
import type { PlannerTool, Toolbox } from './toolbox.ts'

/** The planner's reasons in plain words: which tool it uses, and where each value came from. */
function explain(intents: readonly Intent[], moves: readonly Move[], calls: number): string[] {
  const opening = calls === 0 && intents.length > 1 ? [`${counts[intents.length] ?? intents.length} requests.`] : []
  return [...opening, ...intents.flatMap((intent, index) => explainOne(intent, moves[index], calls))]
}

function explainOne({ text, tool }: Intent, move: Move | undefined, calls: number): string[] {
  const said = `“${shorten(text, 100)}”`
  if (!tool || !move) return [`I do not know how to do ${said}.`]
  const why = calls === 0 ? [`For ${said} I can ${spaced(tool.name)}.`] : []
  switch (move.type) {
    case 'done':
      return [`Done: ${said}.`]
    case 'wait':
      return [...why, `${said} waits for what comes before it.`]
    case 'unable':
      return [...why, move.reason]
    case 'ask':
      return [...why, `To ${spaced(move.tool.name)}, I still need to know ${lackingWords(move)}. I'll ask.`]
    case 'call':
      return [
        ...why,
        ...(move.why ? [move.why] : []),
        `I'll ${spaced(move.call.tool)}${move.notes.length > 0 ? `: ${move.notes.join(', ')}` : ''}.`,
      ]
  }
}

/** Names the value that a question is about. */
const lackingWords = ({ missing: { slot, candidates } }: Extract<Move, { type: 'ask' }>): string =>
  candidates.length > 1 ? 'which one' : `the ${spaced(slot.name)}`

const counts: readonly string[] = ['', '', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight']

export interface Situation {
  readonly exchanges: readonly Exchange[]
  readonly toolbox: Toolbox
  readonly now: Date
}

/** The number of earlier messages that count. */
const remembered = 6

/** The next turn, planned from the whole conversation: the planner itself remembers nothing. */
export function planTurn(situation: Situation): Decision {
  const exchanges = resolve(situation).slice(-remembered)
  const exchange = exchanges.at(-1)
  const { toolbox, now } = situation
  if (!exchange || exchange.request === '')
    return finish('Hello. What is it about?', { toolbox, observations: [], request: '', thoughts: [] })
  const request = { ...exchange, observations: withoutFinal(exchange.observations, toolbox) }
  const earlier = exchanges.slice(0, -1)
  const { intents, base } = read(request.request, { earlier, toolbox })
  const knowledge = knowledgeOf(request, { earlier, toolbox, base, now })
  const planned = planMoves(intents, { knowledge, toolbox })
  const thoughts = explain(intents, planned.moves, request.observations.length)
  return act({ intents, planned, thoughts, toolbox, knowledge })
}

/** An answer to a question that was asked in words belongs to the message that the question is about. */
function resolve({ exchanges, toolbox, now }: Situation): readonly Exchange[] {
  const [before, last] = [exchanges.at(-2), exchanges.at(-1)]
  if (!before || !last) return exchanges
  if (toolbox.ask) return answerClosed({ before, last }, { exchanges, toolbox })
  if (before.reply === undefined) return exchanges
  const open = resolve({ exchanges: exchanges.slice(-remembered, -1), toolbox, now })
  const question = planTurn({ exchanges: open, toolbox, now })
  if (question.type !== 'say' || question.question === undefined) return exchanges
  if (isOwnRequest(last.request, toolbox)) return exchanges
  const answered: Observation = {
    tool: asked,
    input: { question: question.question },
    status: 'ok',
    value: last.request,
  }
  const merged = open.at(-1) ?? before
  return [
    ...open.slice(0, -1),
    { ...merged, observations: [...merged.observations, answered, ...last.observations], reply: undefined },
  ]
}

/** A message that closed a question is its answer, or asks for something besides: what was begun is not lost. */
function answerClosed(
  { before, last }: { before: Exchange; last: Exchange },
  { exchanges, toolbox }: Pick<Situation, 'exchanges' | 'toolbox'>,
): readonly Exchange[] {
  const closed = before.observations.at(-1)
  const isClosed = closed?.tool === toolbox.ask?.name && closed?.status === 'failed' && before.reply === undefined
  if (!closed || !isClosed || isGivenUp(last.request)) return exchanges
  const isBesides = isGreeting(last.request) || isOwnRequest(last.request, toolbox)
  const answered: Observation[] = isBesides ? [] : [{ ...closed, status: 'ok', value: last.request }]
  const merged: Exchange = {
    request: isBesides ? `${before.request}\n${last.request}` : before.request,
    observations: [...before.observations.slice(0, -1), ...answered, ...last.observations],
    reply: last.reply,
  }
  return [...exchanges.slice(0, -2), merged]
}

const isGivenUp = (text: string): boolean =>
  /^\W*(?:never ?mind|forget (?:it|about it|that)|cancel|stop|leave it)(?:\W+(?:it|that|please|thanks|thank you))?\W*$/i.test(
    text,
  )

const isOwnRequest = (text: string, toolbox: Toolbox): boolean =>
  intentsOf(text, toolbox).some(({ tool, scores }) => tool && (scores[0]?.points ?? 0) >= 3)

/** Stands for the tool that asks, where there is none and the question went into the answer. */
const asked = ' asked'

function read(
  text: string,
  { earlier, toolbox }: { earlier: readonly Exchange[]; toolbox: Toolbox },
): { intents: Intent[]; base: Knowledge['base'] } {
  if (isGreeting(text) || isGivenUp(text)) return { intents: [], base: undefined }
  const intents = intentsOf(text, toolbox)
  const follows = followUp(text, { intents, earlier, toolbox })
  if (follows) return follows
  const meant = intents.filter(({ tool }) => tool)
  // A sentence without a tool only explains one with a tool, unless it is a command.
  return {
    intents: meant.length > 0 ? intents.filter(({ tool, text: said }) => tool ?? isCommand(said)) : intents,
    base: undefined,
  }
}

const isCommand = (text: string): boolean =>
  /^(?:please\s+)?(?:write|send|book|make|create|delete|draw|paint|sing|tell|call|order|buy|email|translate|play|show|give)\b/i.test(
    text,
  )

const withoutFinal = (observations: readonly Observation[], { final }: Toolbox): Observation[] =>
  observations.filter(({ tool }) => tool !== final?.name)

interface Knowing {
  readonly earlier: readonly Exchange[]
  readonly toolbox: Toolbox
  readonly base: Knowledge['base']
  readonly now: Date
}

function knowledgeOf({ request, observations }: Exchange, { earlier, toolbox, base, now }: Knowing): Knowledge {
  const isAsked = ({ tool }: Observation): boolean => tool === toolbox.ask?.name || tool === asked
  const isWork = (observation: Observation): boolean => !isAsked(observation)
  const answers = observations
    .filter(isAsked)
    .map(({ input, status, value }) => [questionOf(input), status === 'ok' ? value : null] as const)
  return {
    message: request,
    earlierTexts: earlier.map((exchange) => exchange.request).toReversed(),
    earlier: withoutFinal(
      earlier.flatMap((exchange) => exchange.observations),
      toolbox,
    ).filter(isWork),
    observations: observations.filter(isWork),
    answers: new Map(answers),
    base,
    now,
  }
}

const questionOf = (input: unknown): string => String((input as { question?: unknown } | undefined)?.question)

interface Acting {
  readonly intents: readonly Intent[]
  readonly planned: Planned
  readonly thoughts: readonly string[]
  readonly toolbox: Toolbox
  readonly knowledge: Knowledge
}

function act({ intents, planned, thoughts, toolbox, knowledge }: Acting): Decision {
  const { moves } = planned
  const calls = unique(moves.flatMap((move) => (move.type === 'call' ? [move.call] : [])))
  if (calls.length > 0) return { type: 'call', thoughts, calls }
  const { observations, message: request } = knowledge
  const open = moves.find((move) => move.type === 'ask')
  const question = open?.missing.question
  if (question && toolbox.ask)
    return { type: 'call', thoughts, calls: [{ tool: toolbox.ask.name, input: inputFor(question, toolbox.ask) }] }
  if (question) {
    const choices = question.options ? `\n\n${question.options.map(({ plain }) => `- ${plain}`).join('\n')}` : ''
    const text = [compose(observations, planned), `${question.question}${choices}`]
      .filter((part) => part !== '')
      .join('\n\n')
    return { type: 'say', thoughts, text, question: question.question }
  }
  const nothing = observations.length === 0 && intents.every(({ tool }) => !tool)
  const text = nothing ? smallTalk(request, toolbox) : compose(observations, planned)
  return finish(text, { toolbox, observations, request, thoughts })
}

const inputFor = ({ options, ...question }: Question, ask: PlannerTool): unknown =>
  options ? { ...question, options: optionsFor(options, ask) } : question

function smallTalk(request: string, toolbox: Toolbox): string {
  if (isThanks(request)) return 'You are welcome.'
  if (isGivenUp(request)) return 'All right, I leave it.'
  return isGreeting(request) ? introduce(toolbox) : introduce(toolbox, request)
}

function unique<Call>(calls: readonly Call[]): Call[] {
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()]
}

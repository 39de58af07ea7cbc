import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import { checkOptions, DEV } from '#checks'
import { jsonOrText, readAnswer } from '../capabilities/answer/readAnswer.ts'
import { AgentError } from '../error.ts'
import { isJournalFault } from '../journal.ts'
import { asJson, isObject, toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import type { Agent, RunContext, Step } from '../run.ts'
import { accept, type Checked, type JsonSchema } from '../schema.ts'
import type { AnswerSignal, Signal } from '../signal.ts'
import { noteOf } from '../state.ts'
import {
  agentsOf,
  confusionOf,
  handsTo,
  isAgent,
  readUntilOf,
  renameOne,
  sayOnce,
  skipCalls,
  stateForTurn,
} from '../step.ts'
import { ownInstructions } from '../steps/instructions.ts'
import { sideCall } from '../steps/sideCall.ts'
import { noUsage } from '../usage.ts'

/** An agent, or an agent with a line on when to give it the run. */
export type Routed = Agent | { readonly agent: Agent; readonly when: string }

export interface RouteOptions {
  /** The agents that may get the run, by the router's names for them. */
  agents: Readonly<Record<string, Routed>>
  /** The maximum hand-overs per user message; 8 by default. Then the last answer counts. */
  handOvers?: number
  /** True, the default, if an agent that has answered hands the run back to the router, which may choose another. */
  handBack?: boolean
  /** True if the next user message goes to the agent that had the run, without a decision. False by default. */
  sticky?: boolean
  /** The way to decide: with a tool that the model must call, or with JSON, for models without tool calling. */
  by?: 'tool' | 'json'
}

/**
 * Creates a router: it chooses one of its agents, hands this very run to it, and gets it back with that agent's answer.
 * It has no tools and does no work itself. Its decisions are side calls, so the agents see only the conversation; each
 * decision and the current agent are in the log.
 */
export function route(given: RouteOptions): Step {
  checkOptions('route()', given, ['agents', 'handOvers', 'handBack', 'sticky', 'by'])
  const { agents, ...options } = given
  const targets = toTargets(agents)
  const router = { targets, handOvers: usualHandOvers, handBack: true, sticky: false, by: 'tool', ...options } as const
  assertOption(router.handOvers >= 1, DEV && `route({ handOvers: ${router.handOvers} }): use 1 or more.`)

  const step = (run: RunContext) => {
    const progress = currentProgress(run, router)
    const target = progress.to === undefined ? undefined : targets[progress.to]?.agent
    if (target && !progress.answer) return work(run, progress, target, router)
    // The agent no longer exists, and a tool of the same name may be a different one with the next agent.
    if (!progress.answer) skipCalls(run, 'It may already have run: the agent that called it no longer exists.')
    const isOver = progress.to === end || !router.handBack
    return progress.answer && isOver && run.state.pending.length === 0 ? progress.answer : choose(run, progress, router)
  }
  const routed = Object.values(targets).map((target) => target.agent)
  const made = handsTo(Object.assign(step, { mayCall: true }), routed)
  const confusion = confusionOf(agentsOf([made]))
  assertOption(!confusion, DEV && `route() cannot work: ${confusion}; ${renameOne}.`)
  return made
}

type Targets = Readonly<Record<string, { readonly agent: Agent; readonly when: string }>>
interface Router extends Required<Omit<RouteOptions, 'agents'>> {
  readonly targets: Targets
}

function toTargets(agents: RouteOptions['agents']): Targets {
  const entries = Object.entries(agents ?? {})
  assertOption(entries.length > 0, DEV && 'route() needs agents: route({ agents: { billing, support } }).')
  const targets: Record<string, Targets[string]> = Object.create(null)
  for (const [name, routed] of entries) {
    const target = isAgent(routed) ? { agent: routed, when: '' } : routed
    assertOption(name !== end, DEV && `route() uses the name "${end}" for its own end. Rename it.`)
    assertOption(isAgent(target?.agent), DEV && `"${name}" of route() is not an agent. Make one with agent().`)
    targets[name] = target
  }
  return targets
}

/** Returns the router's state. A new request starts without an agent, or with the previous one. */
function currentProgress(run: RunContext, { sticky, targets }: Router): RouteProgress {
  const progress = notedProgress(run)
  const request = run.state.request.seq
  if (progress.request === request) return progress
  const { decisions, last } = progress
  const next = { request, decisions, handOvers: 0, ...(last !== undefined && { last }) }
  if (!sticky || last === undefined || !targets[last]) return next
  return handOver(run, next, { agent: last, reason: 'It had the run before.' })
}

/** Runs one pass of the agent that has the run. It sees the same run, with itself as the agent. */
async function work(
  run: RunContext,
  progress: RouteProgress,
  target: Agent,
  { handBack }: Router,
): Promise<Signal | undefined> {
  const own = run.with({ agent: target, handedTo: target.name })
  // A replay replaces the sources of the tools.
  const { live } = own.agent
  const signal = await target.backend(live ? await live.enter(own) : own)
  if (signal?.type !== 'answer') return signal
  const answer = handBack ? signal : await typed(run, signal)
  // The next agent has other tools.
  skipCalls(run)
  noteProgress(run, { ...progress, answer })
  return handBack ? undefined : answer
}

async function choose(run: RunContext, progress: RouteProgress, router: Router): Promise<Signal | undefined> {
  // A further user message starts the count at zero.
  const handOvers = run.state.pending.some(({ by }) => by === 'user') ? 0 : progress.handOvers
  const readUntil = readUntilOf(run)
  if (handOvers >= router.handOvers && progress.answer) {
    return endRoute(run, progress, { ...progress.answer, reason: 'completed' })
  }
  const next = { ...progress, decisions: progress.decisions + 1, handOvers }
  const decision = await decideRoute(run, progress, router).catch((error: unknown) => {
    // When the run resumes, the question must differ, or it would get the same answers. If only its write failed, the
    // same question may be asked again.
    if (!run.abortSignal.aborted && !isJournalFault(error)) noteProgress(run, next)
    throw error
  })
  const { agent, reason, answer = progress.answer } = decision
  if (agent === end)
    return endRoute(run, { ...next, reason }, typeof answer === 'string' ? say(run, answer, readUntil) : answer)
  handOver(run, next, decision)
  return undefined
}

function handOver(run: RunContext, { answer: _, ...progress }: RouteProgress, decision: RouteDecision): RouteProgress {
  const { agent, reason, message } = decision
  const next = { ...progress, to: agent, last: agent, reason, handOvers: progress.handOvers + 1 }
  // An agent needs a message to work: from the user, or else from the router. It is there before the agent has the run.
  const words = message ?? (run.state.pending.length > 0 ? undefined : `Go on. ${reason}`.trim())
  if (words !== undefined) sayOnce(run, words)
  noteProgress(run, next)
  return next
}

/** The position of a routed run, as a reload needs it. Noted in the log with each decision. */
interface RouteProgress {
  /** The `seq` of the user's message, which began the request. */
  readonly request: number
  /** Decisions so far in the whole run. */
  readonly decisions: number
  /** Hand-overs so far for this request. */
  readonly handOvers: number
  /** The agent that has the run, `end` when it is over, or undefined before the first decision. */
  readonly to?: string
  readonly reason?: string
  /** The agent that had the run last. */
  readonly last?: string
  /** The agent's answer, once it has handed the run back. */
  readonly answer?: AnswerSignal
}

/** Returns the key of the router's note. Two routers in one run have agents of different names. */
const keyOf = ({ agent }: RunContext): string => `route/${agent.name}`

function notedProgress(run: RunContext): RouteProgress {
  return noteOf<RouteProgress>(run.state, keyOf(run)) ?? { request: -1, decisions: 0, handOvers: 0 }
}

const noteProgress = (run: RunContext, progress: RouteProgress): void =>
  run.emit({ type: 'noted', key: keyOf(run), value: asJson(progress) })

/** Checks that a router may end like this: there is an answer, and it has the router's own type. */
function checkEnd(run: RunContext, progress: RouteProgress, decision: RouteDecision): Checked | PromiseLike<Checked> {
  if (decision.agent !== end) return accept(decision)
  const answer = decision.answer ?? progress.answer?.output
  if (answer === undefined) return { ok: false, message: 'no agent has answered yet; name an agent, or give an answer' }
  return run.agent.output ? readAnswer(toJson(answer), run.agent.output) : accept(answer)
}

/** Ends the request, and notes that it did. */
async function endRoute(run: RunContext, progress: RouteProgress, answered?: AnswerSignal): Promise<AnswerSignal> {
  const answer = await typed(run, answered ?? { type: 'answer', output: '', reason: 'completed' })
  noteProgress(run, { ...progress, to: end, answer })
  return answer
}

/**
 * Adds the router's text as a turn, so that the agents see it. Its usage is already noted. Messages before `readUntil` were
 * known at the decision.
 */
function say({ agent, emit }: RunContext, text: string, readUntil: number): AnswerSignal {
  const { provider = '', modelId = '' } = agent.models[0] ?? {}
  const parts = [{ type: 'text', text }] as const
  emit({ type: 'thought', model: { provider, modelId }, parts, usage: noUsage, ms: 0, readUntil })
  return { type: 'answer', output: text, reason: 'text' }
}

/** Validates the answer with the router's own schema. An answer without a decision may not fit. */
async function typed({ agent: { name, output } }: RunContext, answer: AnswerSignal): Promise<AnswerSignal> {
  if (!output) return answer
  const checked = await readAnswer(toJson(answer.output), output)
  if (checked.ok) return { ...answer, output: toJson(checked.value) }
  throw new AgentError(
    'answer_invalid',
    `The answer does not fit the output of the router "${name}": ${checked.message}. Let its agents answer in that type.`,
  )
}

/** A router's decision: the agent that gets the run, or the end. */
interface RouteDecision {
  readonly agent: string
  readonly reason: string
  /** A message for the agent in addition to the conversation. */
  readonly message?: string
  /** The router's own final words, instead of the last agent's answer. */
  readonly answer?: string
}

const end = 'end'

/** The number of times per message that a router hands the run over. */
const usualHandOvers = 8

const tries = 3

/** Asks the router's model in a side call. An invalid decision goes back to it. */
async function decideRoute(run: RunContext, progress: RouteProgress, { targets, by }: Router): Promise<RouteDecision> {
  const schema = schemaOf(Object.keys(targets))
  const how =
    by === 'tool' ? { tool: toolOf(schema) } : { responseFormat: { type: 'json', schema, name: 'route_to' } as const }
  let problem = ''
  for (let attempt = 0; attempt < tries; attempt++) {
    const key = `${keyOf(run)}/${progress.decisions}/${attempt}`
    const text = await sideCall(run, { key, prompt: promptFor(run, targets, by, problem), ...how })
    const read = await readDecision(text, schema, Object.keys(targets))
    const fits = read.ok ? await checkEnd(run, progress, read.value as RouteDecision) : read
    if (read.ok && fits.ok) return read.value as RouteDecision
    if (!fits.ok) problem = fits.message
  }
  throw new AgentError('answer_invalid', `The router "${run.agent.name}" came to no decision: ${problem}.`, {
    retryable: true,
  })
}

const schemaOf = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: {
    agent: {
      type: 'string',
      enum: [...names, end],
      description: `The agent that continues, or "${end}" when the user has an answer.`,
    },
    reason: { type: 'string', description: 'Why, in a few words.' },
    message: { type: 'string', description: 'What this agent has to know or do. It sees the conversation.' },
    answer: { type: 'string', description: `With "${end}": an answer of your own, instead of the last one given.` },
  },
  required: ['agent', 'reason'],
  additionalProperties: false,
})

const toolOf = (inputSchema: JsonSchema): LanguageModelV4FunctionTool => ({
  type: 'function',
  name: 'route_to',
  description: 'Decides which agent continues the conversation.',
  inputSchema,
})

function promptFor(run: RunContext, targets: Targets, by: Router['by'], problem: string): LanguageModelV4Message[] {
  const own = ownInstructions(run)
  const list = Object.entries(targets).map(([name, { when }]) => `- ${name}${when && `: ${when}`}`)
  const rules = `You decide which agent continues this conversation. You do not work on it yourself. The agents are:\n${list.join('\n')}`
  const how = by === 'tool' ? 'Call route_to.' : 'Answer with JSON: {"agent": "…", "reason": "…"}.'
  const question = `Which agent continues? Name one of the agents, or "${end}" when the user has an answer. ${how}`
  const again = problem && `This could not be followed: ${problem}.\n`
  return [
    ...run.prompt.messages(stateForTurn(run), [own, rules].filter(Boolean).join('\n\n')),
    { role: 'user', content: [{ type: 'text', text: `${again}${question}` }] },
  ]
}

/** Reads the decision. A name alone is a decision too. */
async function readDecision(text: string, json: JsonSchema, agents: readonly string[]): Promise<Checked> {
  const names = [...agents, end]
  const check = (value: unknown): Checked => {
    const { agent, reason, message, answer } = (isObject(value) ? value : {}) as Record<string, unknown>
    const name = names.find((known) => known.toLowerCase() === String(agent).trim().toLowerCase())
    if (name === undefined)
      return { ok: false, message: `there is no agent ${JSON.stringify(agent)}; ${listOf(names)}` }
    const texts = Object.entries({ message, answer }).filter(([, words]) => typeof words === 'string' && words !== '')
    return accept({ agent: name, reason: typeof reason === 'string' ? reason : '', ...Object.fromEntries(texts) })
  }
  const bare = names.find((name) => name === text.trim())
  return bare ? check({ agent: bare }) : readAnswer(jsonOrText(text), { json, check })
}

const listOf = (names: readonly string[]): string => `there are ${names.map((name) => JSON.stringify(name)).join(', ')}`
